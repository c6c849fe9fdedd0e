// The limits of every reader: sizes, rows, columns, files.
import { InputError } from '../../core/errors.ts';
import { deepestJson } from '../../core/rows/json-depth.ts';

/** What a reader takes at most, so that no file can hang it or take memory by its size. */
export interface ReadLimits {
  /** Bytes of a file, and of what comes through a pipe. Default 8 GiB: some 50 million people. */
  bytes: number;
  /** Bytes that an archive or a workbook may unpack to, all its files together. Default 4 GiB. */
  unpacked: number;
  /** Characters of one record. Default 1 Mi: thousands of columns, or a quote that was never closed. */
  record: number;
  /** Columns; in JSON, paths that are found by themselves, of which 2,000 are taken. Default 16,384: as many as a workbook can have. */
  columns: number;
  /** Levels of JSON inside each other. Default 64. */
  depth: number;
  /** Files in an archive or a folder. Default 1,000. */
  files: number;
  /** Characters of the texts that a workbook keeps apart from its cells; they are held in memory. Default 128 Mi. */
  texts: number;
  /** Values of the files that a bundle joins to its people; they are held in memory. Default 5 million, some 500 MB. */
  joined: number;
}

/** The limits that hold where none are given. */
export const defaultLimits: ReadLimits = {
  bytes: 8 * 1024 ** 3,
  unpacked: 4 * 1024 ** 3,
  record: 1024 ** 2,
  columns: 16_384,
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

/** The error of a table that is wider than it may be. */
export function tooManyColumns(file: string, most: number): InputError {
  return new InputError(`${file}: it has more than ${most} columns. Is it a list of people, with a row for each?`);
}
