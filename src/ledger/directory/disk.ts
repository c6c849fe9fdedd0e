// Stops work before the disk is full, and says whose a file or folder is that this user may not use.
import { statfs } from 'node:fs/promises';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, codeOf } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';

/**
 * The least free space with which a run goes on, in bytes: 128 MiB. The embedded database aborts, and would hang,
 * when it cannot make the next file of its log (16 MiB each) or grow a table; a batch of a run and the
 * backup after it need room too. Design.md, section 3.
 */
export const minimumFreeBytes: number = 128 * 1024 * 1024;

/** Gives the free space of the disk that holds a path, in bytes. */
export type ReadFreeBytes = (path: string) => Promise<number>;

/** The bytes that this user may still write to the disk that holds a path. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/**
 * Makes sure that the disk that holds a path has at least `minimum` bytes free.
 * @throws StorageError that says how much is free, how much is needed, and what to do
 */
export async function assertDiskSpace(
  path: string,
  minimum: number = minimumFreeBytes,
  read: ReadFreeBytes = freeBytes,
): Promise<void> {
  const free = await read(path);
  if (free >= minimum) return;
  const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MiB`;
  throw new StorageError(say('fullDisk', 1, { path, free: mebibytes(free), needed: mebibytes(minimum) }));
}

/** The owner of a file: a name, or a number where this machine has none for it. */
export function ownerOf(path: string): string {
  const uid = String(statSync(path).uid);
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n');
    return users.find((line) => line.split(':')[2] === uid)?.split(':')[0] ?? uid;
  } catch {
    return uid;
  }
}

/** How to run a command as another user; `sudo` takes a number after `#`. */
export const asUser = (owner: string): string =>
  `\`sudo -u ${/^\d/.test(owner) ? `'#${owner}'` : owner} roster-sync …\``;

/**
 * Looks for what this user may not read and write: a file, or a folder and everything in it.
 * @returns whose the first one is, and what to do; undefined if all may be used, or nothing is there
 */
export function deniedIn(path: string, below = path): string | undefined {
  try {
    const isFolder = statSync(path).isDirectory();
    accessSync(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
    const denied = isFolder ? readdirSync(path).map((name) => deniedIn(join(path, name), below)) : [];
    return denied.find((each) => each !== undefined);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error))) return undefined;
  }
  try {
    const owner = ownerOf(path);
    return say('ofOtherUser', 1, { path, owner, command: asUser(owner), user: process.geteuid?.(), below });
  } catch {
    // It lies in a folder that may not be entered.
    return undefined;
  }
}
