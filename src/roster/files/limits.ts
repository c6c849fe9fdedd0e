// The limits of every reader: sizes, rows, columns, files.
import type { ReadSettings } from '../read-schema.ts';
import { deepestJson } from '../../core/rows/flatten.ts';

/** What a reader takes at most, so that no file can hang it or take memory by its size. */
export type ReadLimits = Required<NonNullable<ReadSettings['limits']>>;

export const defaultLimits: ReadLimits = {
  bytes: 8 * 1024 ** 3,
  unpacked: 4 * 1024 ** 3,
  record: 1024 ** 2,
  // Every rule checks each, and a page shows it: 16,000 held a server up for seconds. Real exports have some hundred.
  columns: 2000,
  depth: deepestJson,
  files: 1000,
  texts: 128 * 1024 ** 2,
  joined: 5_000_000,
};

/** A number of bytes as a person says it: `5.0 GB`. */
export function sayBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
