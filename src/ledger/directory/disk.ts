// Files on the disk: room for more, those that this user may not use, and gzip files that are written whole.
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { tmpdir } from 'node:os';
import { StorageError, codeOf } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { temporaryFailure } from '../../core/host/this-machine.ts';

/**
 * The least free space with which a run goes on, in bytes: 128 MiB. The embedded database aborts, and would hang,
 * when it cannot make the next file of its log (16 MiB each) or grow a table; a batch of a run and the
 * backup after it need room too. Design.md, section 3.
 */
export const minimumFreeBytes: number = 128 * 1024 * 1024;

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
  read = freeBytes,
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

/** A rename is on the disk once its folder is. Windows cannot do this, and needs no help. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
}

/**
 * Writes text as a gzip file. It is written next to `file`, brought to the disk, and renamed, so that `file` is the old or
 * the new one whole, also after a power cut. Mode 0600.
 * @param options.what names it in a message: `the backup`
 * @param options.makeRoom called once the new one is whole, just before the rename
 * @throws StorageError when it cannot be written; `file` is then what it was. What `text` throws comes as it is.
 */
export async function writeGzip(
  file: string,
  text: AsyncIterable<string>,
  { what, makeRoom = async () => {} }: { what: string; makeRoom?: () => Promise<void> },
): Promise<void> {
  const beside = `${file}.new`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await rm(beside, { force: true });
    const sink = createWriteStream(beside, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(text), createGzip(), sink);
    await makeRoom();
    await rename(beside, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new StorageError(`${what} ${file} cannot be written: ${error.message}`, { cause: error });
  }
}

/** The lines of a gzip file. Throws where it cannot be read, or its last line has no end. */
export async function* readGzipLines(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  const piped = pipeline(createReadStream(file), text);
  piped.catch(() => {});
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of text) {
    const parts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  await piped;
  if (rest !== '') throw new Error('its last line is cut');
}

/**
 * Uses a folder that only this user may open, and removes it. Node 22 has no `mkdtempDisposable`.
 * @param what begins the sentence of the error where there can be none
 */
export async function inTemporaryFolder<T>(
  prefix: string,
  what: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), prefix)).catch((error: unknown) => {
    throw temporaryFailure(what, tmpdir(), error);
  });
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
