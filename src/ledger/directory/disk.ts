// Stops work before the disk is full.
import { statfs } from 'node:fs/promises';
import { StorageError } from '../../core/errors.ts';

/**
 * The least free space with which a run goes on, in bytes: 128 MiB. The embedded database aborts, and would hang,
 * when it cannot make the next file of its log (16 MiB each) or grow a table; a batch of a run and the
 * backup after it need room too. Design.md, section 3.
 */
export const minimumFreeBytes: number = 128 * 1024 * 1024;

/** Gives the free space of the disk that holds a path, in bytes. */
export type ReadFreeBytes = (path: string) => Promise<number>;

/** The bytes that this user may still write to the disk that holds a path. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/**
 * Makes sure that the disk that holds a path has at least `minimum` bytes free.
 * @throws StorageError that says how much is free, how much is needed, and what to do
 */
export async function assertDiskSpace(
  path: string,
  minimum: number = minimumFreeBytes,
  read: ReadFreeBytes = freeBytes,
): Promise<void> {
  const free = await read(path);
  if (free >= minimum) return;
  const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MiB`;
  throw new StorageError(
    `The disk of ${path} is nearly full: ${mebibytes(free)} free, ${mebibytes(minimum)} needed. ` +
      'Free some space first.',
  );
}
