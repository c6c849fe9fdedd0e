import { InputError } from '../core/errors.ts';
import { rosterFormats } from '../core/row.ts';
import type { OpenOptions } from '../roster/open-roster.ts';

/** The flags that say how a roster is written, where that is not to be found out. */
export interface ReadFlags {
  format?: string;
  encoding?: string;
  delimiter?: string;
  headerLine?: string;
  sheet?: string;
  records?: string;
}

/** What the flags say. Throws an `InputError` for a format that is none, and for a line that is no number. */
export function readOptions({ format, headerLine, ...texts }: ReadFlags): OpenOptions {
  const { encoding, delimiter, sheet, records } = texts;
  const known = rosterFormats.find((one) => one === format);
  if (format !== undefined && !known) {
    throw new InputError(`--format ${format}: give one of ${rosterFormats.join(', ')}.`);
  }
  if (headerLine !== undefined && !/^[1-9]\d{0,6}$/.test(headerLine)) {
    throw new InputError(`--header-line ${headerLine}: give the number of the line, from 1.`);
  }
  return {
    ...(known && { format: known }),
    ...(encoding !== undefined && { encoding }),
    ...(delimiter !== undefined && { delimiter }),
    ...(headerLine !== undefined && { headerLine: Number(headerLine) }),
    ...(sheet !== undefined && { sheet }),
    ...(records !== undefined && { records }),
  };
}
