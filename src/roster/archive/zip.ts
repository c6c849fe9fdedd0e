// Lists and reads the files of a zip archive.
import { refusal, codeOf, InputError } from '../../core/errors.ts';
import { fstatSync, read } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { isPassing } from '../files/passing-files.ts';
import { sayBytes, type ReadLimits } from '../files/limits.ts';

const blockBytes = 64 * 1024;
const readFile = promisify(read);

export interface ZipEntry {
  /** With its folders, separated by `/`. */
  name: string;
  /** What it says it unpacks to, in bytes; it is held to that. */
  sizeBytes: number;
  read(): AsyncGenerator<Uint8Array>;
}

/** No name leads out of the archive. Throws an `InputError` where it is damaged, locked, or beyond the limits. */
export async function listZip(fd: number, file: string, limits: ReadLimits): Promise<ZipEntry[]> {
  try {
    // Sizes are validated, so that nothing unpacks to more than it says.
    const { size } = fstatSync(fd);
    const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true };
    const zip = await yauzl.fromRandomAccessReaderPromise(new BoundedReader(fd, size), size, options);
    const { entryCount: count } = zip;
    if (count > limits.files) throw refusal('manyFiles', { file, count, most: limits.files });
    const entries: ZipEntry[] = [];
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: sizeBytes } = entry;
      if (name.endsWith('/') || isPassing(name)) continue;
      if (entry.isEncrypted()) throw refusal('lockedInZip', { file, name });
      total += sizeBytes;
      if (total > limits.unpacked) throw refusal('largeUnpacked', { file, most: sayBytes(limits.unpacked) });
      entries.push({ name, sizeBytes, read: () => unpack(zip, entry, file) });
    }
    return entries;
  } catch (error) {
    throw damage(error, file);
  }
}

/** A part may claim to begin anywhere up to 2^64: yauzl's own reader throws that where nobody can catch it. */
class BoundedReader extends yauzl.RandomAccessReader {
  readonly #fd: number;
  readonly #size: number;

  constructor(fd: number, size: number) {
    super();
    this.#fd = fd;
    this.#size = size;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    at: number,
    done: (error: Error | null, read?: number) => void,
  ): void {
    if (at + length > this.#size) setImmediate(done, new Error('a part of it is beyond its end'));
    else read(this.#fd, buffer, offset, length, at, done);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#part(start, end), { objectMode: false });
  }

  /** A stream of Node's would close the file when it is destroyed. */
  async *#part(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const block = Buffer.allocUnsafe(Math.min(blockBytes, end - at));
      const { bytesRead } = await readFile(this.#fd, block, 0, block.length, at);
      if (bytesRead === 0) throw new Error('it ends early');
      at += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  }
}

async function* unpack(zip: yauzl.ZipFile, entry: yauzl.Entry, file: string): AsyncGenerator<Uint8Array> {
  let stream: Readable | undefined;
  try {
    stream = await zip.openReadStreamPromise(entry);
    let checksum = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    // The library compares sizes only.
    if (checksum !== entry.crc32) throw new Error(`the checksum of ${entry.fileName} is wrong`);
  } catch (error) {
    throw damage(error, file);
  } finally {
    stream?.destroy();
  }
}

function damage(error: unknown, file: string): unknown {
  if (error instanceof InputError || !(error instanceof Error)) return error;
  // The library has no codes; what the system says has one.
  if (!/^(?:$|Z_|ERR_)/.test(codeOf(error))) return error;
  return new InputError(`${file}: the zip archive is damaged (${error.message}). Fetch it again.`, { cause: error });
}
