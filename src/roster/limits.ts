/** What a reader takes at most, so that no file can hang it or take memory by its size. */
export interface ReadLimits {
  /** Bytes of a file, and of what comes through a pipe. Default 8 GiB: some 50 million people. */
  bytes: number;
  /** Characters of one record. Default 1 Mi: thousands of columns, or a quote that was never closed. */
  record: number;
}

/** The limits that hold where none are given. */
export const defaultLimits: ReadLimits = { bytes: 8 * 1024 ** 3, record: 1024 ** 2 };

/** A number of bytes as a person says it: `5.0 GB`. */
export function sayBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
