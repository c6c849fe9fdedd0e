// Unpacks bodies that a service compresses although it was asked not to.
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress, createUnzip, unzipSync } from 'node:zlib';

/** Whether a body is compressed in a way that is known here. */
function encodingOf(header: string | string[] | undefined): 'zip' | 'br' | undefined {
  const word = String(header ?? '')
    .trim()
    .toLowerCase();
  return word === 'br' ? word : /^(?:x-)?gzip$|^deflate$/.test(word) ? 'zip' : undefined;
}

/**
 * A whole body, unpacked. What is not packed stays as it is.
 * @throws RangeError when it would be longer than `most` bytes; Error when it cannot be unpacked
 */
export function unpacked(body: Buffer, header: string | string[] | undefined, most: number): Buffer {
  const encoding = encodingOf(header);
  if (encoding === undefined || body.length === 0) return body;
  return (encoding === 'br' ? brotliDecompressSync : unzipSync)(body, { maxOutputLength: most });
}

export type Unpacking = NonNullable<ReturnType<typeof unpacking>>;

/** Takes a body with such a header in parts, and hands it on unpacked, no faster than `take` does; undefined for one that is not packed. */
export function unpacking(header: string | string[] | undefined, take: (part: Buffer) => Promise<void>) {
  const encoding = encodingOf(header);
  if (encoding === undefined) return undefined;
  const stream = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  const done = pipeline(stream, async (parts: AsyncIterable<Buffer>) => {
    for await (const part of parts) await take(part);
  });
  // Its failure is seen where the next part is taken, or the end.
  done.catch(() => {});
  return {
    async take(part: Buffer): Promise<void> {
      if (!stream.write(part)) await Promise.race([once(stream, 'drain'), done]);
    },
    async end(): Promise<void> {
      stream.end();
      await done;
    },
  };
}
