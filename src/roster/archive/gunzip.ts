// Unpacks gzip, up to a limit.
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputError } from '../../core/errors.ts';
import { tooLarge } from '../files/bytes.ts';
import type { ReadLimits } from '../files/limits.ts';

/** Unpacks gzip. Throws an `InputError` if it is damaged, cut off, or unpacks to more than the limit. */
export async function* gunzip(
  packed: AsyncIterable<Uint8Array>,
  name: string,
  limits: ReadLimits,
): AsyncGenerator<Uint8Array> {
  // A chunk is valid only until the next one is asked for, and a stream asks ahead.
  const copies = async function* () {
    for await (const chunk of packed) yield Uint8Array.from(chunk);
  };
  const input = Readable.from(copies(), { objectMode: false });
  const unpacked = createGunzip();
  // Errors come out of the iteration below.
  pipeline(input, unpacked, () => {});
  let size = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limits.unpacked) throw tooLarge(`${name}, unpacked`, limits.unpacked);
      yield chunk;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new InputError(`${name}: the gzip archive is damaged or cut off. Fetch it again.`, { cause: error });
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
