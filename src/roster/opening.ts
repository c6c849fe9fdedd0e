// The options for opening a roster, where detection is overridden.
import type { Day } from '../core/mapping/days.ts';
import type { RosterFormat } from '../core/rows/row.ts';
import type { JoinSpec } from './bundle/join-spec.ts';
import type { ReadLimits } from './files/limits.ts';
import type { PgpKeys } from './pgp/decrypt.ts';

/** How to read a roster, if it is not to be detected. */
export interface OpenOptions {
  /** What it is written in; without it, that is found by the content first and the name second. */
  format?: RosterFormat;
  /** A WHATWG label of UTF-8, UTF-16 or a single-byte encoding. */
  encoding?: string;
  /** One sign, or `comma`, `semicolon`, `tab`, `pipe`. */
  delimiter?: string;
  /** The 1-based line on which the header begins; in a workbook, its row. */
  headerLine?: number;
  /** Of a workbook, the sheet to read. */
  sheet?: string;
  /** Of a workbook, all sheets that have the same columns, with a column `_sheet`. */
  allSheets?: boolean;
  /** Of JSON, the JSON pointer of the array of records: `/data/people`; empty for the document itself. */
  records?: string;
  /** Of JSON, paths to read as columns besides those that the first records show. */
  paths?: readonly string[];
  /** Of a folder or an archive, how its files belong together, where it is no bundle that is known. */
  join?: JoinSpec;
  /** The day by which rows of a join hold or do not; that of this machine unless given. */
  today?: Day;
  /** The keys for what is encrypted with PGP. */
  pgp?: PgpKeys;
  limits?: Partial<ReadLimits>;
  now?: () => Date;
  /** What standard input, streams, and files under a name of no meaning are called in rows and messages. */
  name?: string;
}

/** What is passed on while a roster is opened. */
export interface Opening {
  options: OpenOptions;
  limits: ReadLimits;
  now: () => Date;
  /** How many archives it was unpacked from. */
  unpacked: number;
  /** It must be encrypted, since only then a signature is checked. */
  mustBeSigned: boolean;
}

/** The same for a file inside a folder or archive of files: what was said about the whole does not hold for it. */
export function openingInside(opening: Opening): Opening {
  const { encoding, delimiter } = opening.options;
  const options = { ...(encoding !== undefined && { encoding }), ...(delimiter !== undefined && { delimiter }) };
  return { ...opening, options };
}
