// Packs the folder of an empty ledger into a template, keeps it in a file, and makes a folder of it again.
import { parseJson } from '../../../core/attempt.ts';
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { createHash, randomBytes } from 'node:crypto';

/** The files of a database, and its folders, since PostgreSQL insists on those that are empty too. */
export interface PackedFolder {
  folders: string[];
  /** Their paths with `/`, their lengths in bytes, and their bytes without the zeros at the end. */
  files: { path: string; size: number; bytes: Uint8Array }[];
}

/** What the archive says about its content before the bytes themselves. */
interface Listing {
  folders: string[];
  /** Path, length, and how many of its bytes are in the archive. */
  files: [path: string, size: number, stored: number][];
}

/** How small an archive is made. Both are unpacked in 10 ms; `smallest` takes 2 s of processor time to make, `quick` 0.05 s. */
export type Effort = 'quick' | 'smallest';
const levels: Record<Effort, number> = { quick: 3, smallest: 19 };

/** Packs a folder: an empty database of 25 MB, most of it zeros, takes 0.8 MB (1.0 MB if `quick`). */
export async function packFolder(folder: string, effort: Effort): Promise<Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const pathOf = (entry: { parentPath: string; name: string }): string =>
    relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
  const listing: Listing = { folders: entries.filter((entry) => entry.isDirectory()).map(pathOf), files: [] };
  const contents: Uint8Array[] = [];
  for (const path of entries.filter((entry) => entry.isFile()).map(pathOf)) {
    const whole = await readFile(join(folder, path));
    const bytes = withoutZeros(whole);
    listing.files.push([path, whole.length, bytes.length]);
    contents.push(bytes);
  }
  const head = Buffer.from(JSON.stringify(listing));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  const params = { [constants.ZSTD_c_compressionLevel]: levels[effort] };
  return zstdCompressSync(Buffer.concat([length, head, ...contents]), { params });
}

function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, end);
}

/** Reads what `packFolder` made. The bytes of all files lie in one buffer. */
export function unpack(archive: Uint8Array): PackedFolder {
  const all = zstdDecompressSync(archive);
  let at = 4 + all.readUInt32BE(0);
  const { folders, files } = JSON.parse(all.toString('utf8', 4, at)) as Listing;
  return {
    folders,
    files: files.map(([path, size, stored]) => ({ path, size, bytes: all.subarray(at, (at += stored)) })),
  };
}

/**
 * Writes what was packed to a new folder, for its owner only. Zeros at the end of a file take no room on the disk.
 * It waits for the disk: a promise for each of 2,500 small steps takes six times the processor time, 130 ms.
 */
export function writeFolder({ folders, files }: PackedFolder, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const path of folders) mkdirSync(join(to, path), { recursive: true, mode: 0o700 });
  for (const { path, size, bytes } of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    const file = openSync(join(to, path), 'wx', 0o600);
    try {
      writeFileSync(file, bytes);
      ftruncateSync(file, size);
    } finally {
      closeSync(file);
    }
  }
}

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
  const header = parseJson(bytes.toString('utf8', 0, Math.max(end, 0))) as Partial<Header> | undefined;
  const archive = bytes.subarray(end + 1);
  if (header?.format !== 'roster-sync-template' || header.sha256 !== digestOf(archive)) return { unfit: 'damaged' };
  return header.key === key ? { archive } : { unfit: 'made of other versions' };
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
