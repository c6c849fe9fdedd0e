// Writes a gzip file of lines whole, and reads one line by line; gives a folder for a moment.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { tmpdir } from 'node:os';
import { StorageError } from '../../core/errors.ts';
import { temporaryFailure } from '../../core/host/this-machine.ts';

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
