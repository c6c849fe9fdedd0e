import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { InputError, StorageError } from '../core/errors.ts';
import { sayBytes, type ReadLimits } from './limits.ts';
import { readFailure } from './read-failure.ts';
import { explain, Offence, type Survey } from './survey.ts';

/** What is read at a time, in bytes. 64 KiB of CSV are a few hundred rows. */
export const chunkBytes = 64 * 1024;

/** Temporary files in use. A handle that nobody refers to would be closed by the runtime, with a warning. */
const spools = new Set<FileHandle>();

/** The bytes of a roster, which can be read more than once. */
export interface RosterBytes {
  file: string;
  sizeBytes: number;
  modifiedAt: Date;
  /**
   * Reads from the beginning, each time it is called. A chunk is valid until the next one is asked for. Throws an
   * `InputError` when the file is not, or at its end no longer, as it was when it was first seen.
   */
  chunks(): AsyncGenerator<Uint8Array>;
  /** Gives back what is kept while the bytes may be read. */
  close(): Promise<void>;
}

/**
 * Opens a file by its path and shows all of it to a survey. Throws an `InputError` where it cannot be read, is too
 * large, or the survey objects.
 */
export async function openFile(
  path: string,
  survey: Survey,
  limits: ReadLimits,
  now: () => Date,
): Promise<RosterBytes> {
  const handle = await openToRead(path);
  let seen: Stats;
  try {
    seen = await handle.stat();
    if (seen.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    // A named pipe or a device, such as /dev/stdin, can be read only once.
    if (!seen.isFile()) return await spool(handle.createReadStream(), path, survey, limits, now);
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    await handle.close();
  }
  if (seen.size > limits.bytes) throw tooLarge(path, limits);
  const bytes: RosterBytes = {
    file: path,
    sizeBytes: seen.size,
    modifiedAt: seen.mtime,
    chunks: () => chunksOfFile(path, seen),
    close: async () => {},
  };
  try {
    for await (const chunk of bytes.chunks()) survey.push(chunk);
  } catch (error) {
    throw error instanceof Offence ? await explain(error, bytes) : error;
  }
  return bytes;
}

/**
 * Takes in what comes through a pipe. It must be read twice (its encoding is known only at its end), so it goes to
 * a temporary file of this user's alone, which has no name any more as soon as it is open where the system allows.
 * The survey sees each part as it comes, so that what cannot be a roster is not taken in to its end.
 */
export async function spool(
  input: Readable,
  file: string,
  survey: Survey,
  limits: ReadLimits,
  now: () => Date,
): Promise<RosterBytes> {
  const path = join(tmpdir(), `roster-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600).catch((error: unknown) => {
    throw new StorageError(`There is no room for what comes from ${file} in ${tmpdir()}.`, { cause: error });
  });
  const unlinked = await rm(path).then(
    () => true,
    () => false,
  );
  spools.add(handle);
  const discard = async () => {
    spools.delete(handle);
    await handle.close();
    if (!unlinked) await rm(path, { force: true });
  };
  try {
    let size = 0;
    for await (const chunk of input) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
      size += bytes.length;
      if (size > limits.bytes) throw tooLarge(file, limits);
      await writeAll(handle, bytes, file);
      survey.push(bytes);
    }
    const chunks = () => chunksOf(handle, file);
    return { file, sizeBytes: size, modifiedAt: now(), chunks, close: discard };
  } catch (error) {
    const failure =
      error instanceof Offence ? await explain(error, { file, chunks: () => chunksOf(handle, file) }) : error;
    await discard();
    throw readFailure(file, failure);
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, file: string): Promise<void> {
  try {
    for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
  } catch (error) {
    throw new StorageError(`What comes from ${file} could not be kept in ${tmpdir()}.`, { cause: error });
  }
}

function tooLarge(file: string, limits: ReadLimits): InputError {
  return new InputError(
    `${file}: it has more than ${sayBytes(limits.bytes)}. Is it the right file? Split it if it is.`,
  );
}

function openToRead(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((error: unknown) => {
    throw readFailure(path, error);
  });
}

async function* chunksOfFile(path: string, seen: Stats): AsyncGenerator<Uint8Array> {
  const handle = await openToRead(path);
  const check = async () => {
    const { size, mtimeMs, ino } = await handle.stat();
    if (size === seen.size && mtimeMs === seen.mtimeMs && ino === seen.ino) return;
    throw new InputError(`${path}: it changed while it was read. Import it again once it is complete.`);
  };
  try {
    await check();
    yield* chunksOf(handle, path);
    await check();
  } finally {
    await handle.close();
  }
}

async function* chunksOf(handle: FileHandle, file: string): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position).catch((error: unknown) => {
      throw readFailure(file, error);
    });
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
