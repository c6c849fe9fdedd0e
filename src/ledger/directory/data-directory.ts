// Opens the data directory, lays out its files, and searches them for a text.
import {
  access,
  chmod,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { codeOf, InputError, StorageError, refusal } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { listBackups } from './backups.ts';
import { asUser, deniedIn, ownerOf } from './disk.ts';
import { createGunzip } from 'node:zlib';

/** The data directory and what lies in it; all paths absolute, symbolic links resolved. */
export interface DataDirectory {
  path: string;
  /** True when there is no ledger in it yet: nobody is known, everyone is new. */
  isNew: boolean;
  /** The embedded database's files; made by `openEmbedded`. */
  ledger: string;
  /** Files of rejected rows, one per run. */
  rejects: string;
  /** What was given, written after each run. */
  backup: string;
}

const ignore = '# The data of roster-sync: people, and what was sent for them. Never commit it.\n*\n';

function failure(path: string, error: unknown): Error {
  const code = codeOf(error);
  if (code === 'ENOTDIR' || code === 'EEXIST') return refusal('directoryNoFolder', { path });
  const kind = code === 'EPERM' ? 'EACCES' : /^(?:EACCES|ENOENT|EROFS|ENOSPC)$/.test(code) ? code : '';
  const owner = deniedIn(path) ?? 'Change its owner.';
  const said = say(`directory-${kind}`, 1, { path, owner, error: String(error) });
  return new StorageError(said, kind === '' ? { cause: error } : {});
}

/** Makes a folder and those above it. Node's own `recursive` never ends where the system lets nobody make folders (/proc). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

/** A folder may be used if it is ours or empty; any other belongs to somebody, and is left alone. */
async function isOurs(path: string): Promise<boolean> {
  const entries = await readdir(path);
  if (entries.length === 0 || ['ledger', 'rejects', 'backup'].every((name) => entries.includes(name))) return true;
  // A backup alone, placed here so that a ledger is made from it.
  if (entries.length === 1 && entries[0] === 'backup') return (await listBackups(join(path, 'backup'))).length > 0;
  if (!entries.includes('.gitignore')) return false;
  const text = await readFile(join(path, '.gitignore'), 'utf8');
  // A process killed right after its start leaves only an empty one.
  return text === ignore || (text === '' && entries.length === 1);
}

/** What root makes, only root can use: the owner of the directory would be locked out. */
async function refuseRoot(path: string): Promise<void> {
  if (process.geteuid?.() !== 0 || (await stat(path)).uid === 0) return;
  const owner = ownerOf(path);
  throw refusal('directoryNotOfRoot', { path, owner, command: asUser(owner) });
}

/**
 * Opens the data directory. It is private to its owner (mode 0700), which keeps everything in it private whatever
 * the mode of a file; a `.gitignore` keeps it out of repositories.
 * @param options.create makes it where it is missing; else a missing one is an InputError
 * @throws InputError when it is missing, not a folder, a folder with other things in it, or another user's and this is root;
 * StorageError when it cannot be written: permissions, read-only or full disk
 */
export async function openDataDirectory(path: string, options: { create: boolean }): Promise<DataDirectory> {
  const wanted = resolve(path);
  try {
    if (options.create) await makeFolder(wanted);
    const real = await realpath(wanted);
    if (!(await isOurs(real))) throw refusal('directoryOfOthers', { path: real });
    await refuseRoot(real);
    await access(real, constants.R_OK | constants.W_OK | constants.X_OK);
    await chmod(real, 0o700);
    const [ledger, rejects, backup] = [join(real, 'ledger'), join(real, 'rejects'), join(real, 'backup')];
    const entries = await readdir(real);
    const begun = ['.gitignore', 'rejects'].every((name) => entries.includes(name));
    if (!begun) await writeFile(join(real, '.gitignore'), ignore, { mode: 0o600 });
    for (const folder of [rejects, backup]) await mkdir(folder, { recursive: true, mode: 0o700 });
    return { path: real, isNew: !entries.includes('ledger'), ledger, rejects, backup };
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (codeOf(error) === 'ENOENT' && !options.create) {
      throw refusal('noDirectory', { path: wanted });
    }
    throw failure(wanted, error);
  }
}

/** Files that people upload and download pass through the directory under these names. */
const passing = /^(?:upload|download)-/;

/**
 * Removes what was on its way through the directory when a process died: rosters and reports, which nobody else removes.
 * @param olderThanMs 0 if no other process can be at work in it
 */
export async function removeLeftovers({ path }: DataDirectory, olderThanMs: number): Promise<void> {
  for (const name of await readdir(path)) {
    if (!passing.test(name)) continue;
    const file = join(path, name);
    const since = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => -Infinity,
    );
    if (olderThanMs === 0 || since >= olderThanMs) await rm(file, { recursive: true, force: true });
  }
}

/** What a text looks like in the encodings in which files of ours are written. */
function bytesOf(text: string): Buffer[] {
  const utf16 = Buffer.from(text, 'utf16le');
  return [Buffer.from(text, 'utf8'), utf16, Buffer.from(utf16).swap16()];
}

/**
 * The files below a folder that hold one of these texts, relative to it, and those that may: archives, such as workbooks,
 * and broken gzip are not looked into. Files that vanish meanwhile hold nothing.
 */
export async function filesHolding(folder: string, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.flatMap(bytesOf);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await mayHold(path, wanted))) found.push(relative(folder, path));
  }
  return found.toSorted();
}

async function mayHold(path: string, wanted: readonly Buffer[]): Promise<boolean> {
  const overlap = Math.max(...wanted.map(({ length }) => length)) - 1;
  let before: Buffer | undefined;
  try {
    for await (const chunk of contentOf(path)) {
      if (before === undefined && chunk.indexOf('PK\x03\x04') === 0) return true;
      const bytes: Buffer = before ? Buffer.concat([before, chunk]) : chunk;
      if (wanted.some((one) => bytes.includes(one))) return true;
      before = bytes.subarray(Math.max(0, bytes.length - overlap));
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    if (codeOf(error).startsWith('Z_')) return true;
    throw error;
  }
  return false;
}

/** The bytes of a file; of one that is gzip, what is in it. */
async function* contentOf(path: string): AsyncGenerator<Buffer> {
  await using handle = await open(path);
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  const file = handle.createReadStream({ start: 0, highWaterMark: 1 << 20, autoClose: false });
  let chunks: AsyncIterable<Buffer> = file;
  if (buffer.readUInt16BE() === 0x1f8b) {
    const unzipped = createGunzip();
    file.on('error', (error) => unzipped.destroy(error));
    chunks = file.pipe(unzipped);
  }
  for await (const chunk of chunks) yield chunk;
}
