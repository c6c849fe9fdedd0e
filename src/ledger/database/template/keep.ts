// Keeps the template of an empty ledger in a file, and checks it before use.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a kept template begins with: what it was made of, and the digest of the bytes that follow the line. */
interface Header {
  format: 'roster-sync-template';
  key: string;
  sha256: string;
}

/** Why a kept template is not used; `absent` needs no message. */
export type Unfit = 'absent' | 'made of other versions' | 'damaged' | 'not only yours';

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Reads a template that was kept, if it is whole and fits.
 * @param isPrivate whether it must belong to this user and be closed to all others, as one in a cache
 */
export async function readKept(
  file: string,
  key: string,
  isPrivate: boolean,
): Promise<{ archive: Buffer } | { unfit: Unfit }> {
  let bytes: Buffer;
  try {
    await using kept = await open(file, 'r');
    const { uid, mode } = await kept.stat();
    const mine = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    if (isPrivate && !mine) return { unfit: 'not only yours' };
    bytes = await kept.readFile();
  } catch {
    return { unfit: 'absent' };
  }
  const end = bytes.indexOf('\n');
  const header = headerOf(bytes.toString('utf8', 0, Math.max(end, 0)));
  const archive = bytes.subarray(end + 1);
  if (header?.format !== 'roster-sync-template' || header.sha256 !== digestOf(archive)) return { unfit: 'damaged' };
  return header.key === key ? { archive } : { unfit: 'made of other versions' };
}

function headerOf(line: string): Partial<Header> | undefined {
  try {
    return JSON.parse(line) as Partial<Header>;
  } catch {
    return undefined;
  }
}

export function asKept(archive: Uint8Array, key: string): Buffer {
  const header: Header = { format: 'roster-sync-template', key, sha256: digestOf(archive) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), archive]);
}

/**
 * Keeps a template for its owner only. It is written next to and renamed, so that of two processes one wins whole.
 * @throws the system's error where it cannot be written, or where others may write to the folder
 */
export async function keep(file: string, kept: Uint8Array): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await stat(folder);
  if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) {
    throw new Error(`others may write to ${folder}`);
  }
  const beside = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(beside, kept, { flag: 'wx', mode: 0o600 });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw error;
  }
}
