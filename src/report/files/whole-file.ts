// Writes a file whole or not at all.
import { randomUUID } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, InputError, StorageError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/format.ts';

/** Bytes gathered before they are written. */
const blockSize = 256 * 1024;

/** Throws an InputError: to be asked before the work, not after it. */
export function checkWritable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  } catch (error) {
    throw explained(path, error);
  }
}

/**
 * Writes a file (mode 0600) from parts as they come, next to its place first, then renamed: it is there whole or not at
 * all, whatever interrupts it. Returns its length in bytes once it is on the disk.
 * @throws InputError when the name, its folder or its rights are wrong; StorageError when the disk fails
 */
export async function writeWhole(path: string, parts: AsyncIterable<string | Uint8Array>): Promise<number> {
  const beside = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}`);
  let written = 0;
  try {
    await using file = await open(beside, 'wx', 0o600);
    let writing = Promise.resolve();
    for await (const block of inBlocks(parts)) {
      await writing;
      writing = file.writeFile(block);
      // Its failure is seen when it is awaited.
      writing.catch(() => {});
      written += block.length;
    }
    await writing;
    await file.sync();
    await rename(beside, path);
    return written;
  } catch (error) {
    await rm(beside, { force: true });
    throw explained(path, error);
  }
}

/** The parts in blocks. Two are used in turn: one may still be written while the next one is filled, and no longer. */
async function* inBlocks(parts: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  let [block, other] = [Buffer.allocUnsafeSlow(blockSize), Buffer.allocUnsafeSlow(blockSize)];
  const encoder = new TextEncoder();
  let filled = 0;
  for await (const part of parts) {
    for (let at = 0; at < part.length;) {
      const room = block.subarray(filled);
      if (typeof part === 'string') {
        const { read, written } = encoder.encodeInto(at === 0 ? part : part.slice(at), room);
        at += read;
        filled += written;
        // A character may need more bytes than are left.
        if (at < part.length) {
          yield block.subarray(0, filled);
          [block, other] = [other, block];
          filled = 0;
        }
      } else {
        const piece = part.subarray(at, at + room.length);
        block.set(piece, filled);
        at += piece.length;
        filled += piece.length;
        if (filled === blockSize) {
          yield block;
          [block, other] = [other, block];
          filled = 0;
        }
      }
    }
  }
  yield block.subarray(0, filled);
}

const mistakes: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written here',
  EPERM: 'it may not be written here',
  EROFS: 'it may not be written here',
};

const failures: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk does not answer',
};

function explained(path: string, cause: unknown): unknown {
  const code = codeOf(cause);
  const name = `${escapeText(path)} cannot be written`;
  if (mistakes[code]) return new InputError(`${name}: ${mistakes[code]}; name another place.`, { cause });
  if (failures[code]) return new StorageError(`${name}: ${failures[code]}.`, { cause });
  return cause;
}
