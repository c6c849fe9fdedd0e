// Searches the bytes of files for a text.
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What a text looks like in the encodings in which files of ours are written. */
function bytesOf(text: string): Buffer[] {
  const utf16 = Buffer.from(text, 'utf16le');
  return [Buffer.from(text, 'utf8'), utf16, Buffer.from(utf16).swap16()];
}

/**
 * The files below a folder in whose bytes one of these texts stands, relative to it. What is compressed is not looked into.
 * Files that vanish meanwhile hold nothing.
 */
export async function filesHolding(folder: string, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.flatMap(bytesOf);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await holds(path, wanted))) found.push(relative(folder, path));
  }
  return found.toSorted();
}

async function holds(path: string, wanted: readonly Buffer[]): Promise<boolean> {
  const overlap = Math.max(...wanted.map(({ length }) => length)) - 1;
  let before: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      const bytes = Buffer.concat([before, chunk]);
      if (wanted.some((one) => bytes.includes(one))) return true;
      before = bytes.subarray(Math.max(0, bytes.length - overlap));
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
  return false;
}
