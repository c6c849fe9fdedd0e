// Searches the bytes of files for a text.
import { open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createGunzip } from 'node:zlib';
import { codeOf } from '../../core/errors.ts';

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
