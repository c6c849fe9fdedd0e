// The bytes of a roster, which can be read more than once, and their checksum.
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { temporaryFailure } from '../../core/host/this-machine.ts';
import { sayBytes } from './limits.ts';
import { cannotRead, statFailure, readFailure } from './read-failure.ts';

/** What is read at a time, in bytes. 64 KiB of CSV are a few hundred rows. */
export const chunkBytes = 64 * 1024;

const spools = new Set<FileHandle>();

export interface RosterBytes {
  file: string;
  sizeBytes: number;
  modifiedAt: Date;
  /**
   * Reads from the beginning, each time it is called. A chunk is valid until the next one is asked for. Throws an
   * `InputError` when the file is not, or at its end no longer, as it was when it was first seen.
   */
  chunks(): AsyncGenerator<Uint8Array>;
  /** Lets `use` read at any place of the file, through its descriptor. Throws as `chunks` does. */
  within<T>(use: (fd: number) => AsyncGenerator<T>): AsyncGenerator<T>;
  /** Gives back what is kept while the bytes may be read. */
  close(): Promise<void>;
}

/** What a path leads to: the bytes of a file, a folder, or what can be read only once, such as a named pipe. */
export type Opened =
  | { kind: 'file'; bytes: RosterBytes }
  | { kind: 'folder'; modifiedAt: Date }
  | { kind: 'stream'; stream: AsyncIterable<Uint8Array> };

/** Looks at what a path leads to, called `name` in messages. Throws an `InputError` if it cannot be read. */
export async function openPath(path: string, name = path): Promise<Opened> {
  const found = await stat(path).catch(async (error: unknown) => {
    throw await statFailure(path, error, name);
  });
  // Not every system can open a folder for reading.
  if (found.isDirectory()) return { kind: 'folder', modifiedAt: found.mtime };
  const handle = await open(path, 'r').catch(cannotRead(name));
  let isHandedOn = false;
  try {
    const seen = await handle.stat();
    // A named pipe or a device, such as /dev/stdin, can be read only once.
    if (!seen.isFile()) {
      isHandedOn = true;
      return { kind: 'stream', stream: handle.createReadStream() };
    }
    return { kind: 'file', bytes: fileBytes({ path, name }, seen) };
  } catch (error) {
    throw readFailure(name, error);
  } finally {
    if (!isHandedOn) await handle.close();
  }
}

interface NamedFile {
  path: string;
  name: string;
}

function fileBytes(file: NamedFile, seen: Stats): RosterBytes {
  return {
    file: file.name,
    sizeBytes: seen.size,
    modifiedAt: seen.mtime,
    chunks: () => withinFile(file, seen, (handle) => chunksOf(handle, file.name)),
    within: (use) => withinFile(file, seen, ({ fd }) => use(fd)),
    close: async () => {},
  };
}

export interface SpoolOptions {
  file: string;
  most: number;
  modifiedAt: () => Date;
  /** Sees each part as it comes; what it throws ends the taking in. */
  see?: (chunk: Uint8Array) => void;
  /** Makes the error of what `see` threw, with the bytes that were taken in so far. */
  explain?: (error: unknown, bytes: Pick<RosterBytes, 'file' | 'chunks'>) => Promise<unknown>;
}

/**
 * It is read twice, so it goes to a temporary file of this user's alone, which loses its name as soon as it is open.
 */
export async function spool(input: AsyncIterable<Uint8Array | string>, options: SpoolOptions): Promise<RosterBytes> {
  const { file, most, modifiedAt, see, explain } = options;
  const path = join(tmpdir(), `roster-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600).catch(cannotKeep(file));
  const left = await rm(path).catch(() => path);
  spools.add(handle);
  const discard = async () => {
    spools.delete(handle);
    await handle.close();
    if (left !== undefined) await rm(left, { force: true });
  };
  const chunks = () => chunksOf(handle, file);
  try {
    let size = 0;
    for await (const chunk of input) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      size += bytes.length;
      if (size > most) throw tooLarge(file, most);
      await writeAll(handle, bytes, file);
      see?.(bytes);
    }
    return { file, sizeBytes: size, modifiedAt: modifiedAt(), chunks, close: discard, within: (use) => use(handle.fd) };
  } catch (error) {
    const failure = explain ? await explain(error, { file, chunks }) : error;
    await discard();
    throw readFailure(file, failure);
  }
}

/** What is opened: what comes once, which may be there already, to be read again. */
export interface Source {
  name: string;
  stream: AsyncIterable<Uint8Array>;
  modifiedAt(): Date;
  bytes?: RosterBytes;
}

export function sourceOf(bytes: RosterBytes): Source {
  return { name: bytes.file, stream: bytes.chunks(), modifiedAt: () => bytes.modifiedAt, bytes };
}

/** Takes in what comes only once; what is there already stays as it is. */
export async function bytesOf({ name, stream, modifiedAt, bytes }: Source, most: number): Promise<RosterBytes> {
  return bytes ?? spool(stream, { file: name, most, modifiedAt });
}

export interface Peeked {
  head: Uint8Array;
  /** All of it, to be read once. */
  whole: AsyncGenerator<Uint8Array>;
  /** Gives the stream back where it is not read to its end. */
  close(): Promise<void>;
}

/** Looks at the first bytes of a stream: `length`, or all that it has. */
export async function peek(stream: AsyncIterable<Uint8Array | string>, length: number): Promise<Peeked> {
  const parts: Uint8Array[] = [];
  const iterator = stream[Symbol.asyncIterator]();
  const next = async () => {
    const result = await iterator.next();
    if (result.done) return undefined;
    return typeof result.value === 'string' ? Buffer.from(result.value) : result.value;
  };
  for (let size = 0; size < length;) {
    const part = await next();
    if (!part) break;
    // A chunk is valid only until the next one is asked for.
    parts.push(Uint8Array.from(part));
    size += part.length;
  }
  const close = async () => {
    await iterator.return?.();
  };
  const whole = async function* () {
    try {
      yield* parts;
      for (let part = await next(); part; part = await next()) yield part;
    } finally {
      await close();
    }
  };
  return { head: Buffer.concat(parts).subarray(0, length), whole: whole(), close };
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, file: string): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at).catch(cannotKeep(file))).bytesWritten;
}

const cannotKeep =
  (file: string) =>
  (error: unknown): never => {
    throw temporaryFailure(`What comes from ${file}`, tmpdir(), error);
  };

export function tooLarge(file: string, most: number): InputError {
  return new InputError(`${file}: it has more than ${sayBytes(most)}. Is it the right file? Split it if it is.`);
}

async function* withinFile<T>(
  { path, name }: NamedFile,
  seen: Stats,
  use: (handle: FileHandle) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const handle = await open(path, 'r').catch(cannotRead(name));
  const check = async () => {
    const { size, mtimeMs, ino } = await handle.stat();
    if (size === seen.size && mtimeMs === seen.mtimeMs && ino === seen.ino) return;
    throw new InputError(`${name}: it changed while it was read. Import it again once it is complete.`);
  };
  try {
    await check();
    yield* use(handle);
    await check();
  } finally {
    await handle.close();
  }
}

async function* chunksOf(handle: FileHandle, file: string): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position).catch(cannotRead(file));
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
