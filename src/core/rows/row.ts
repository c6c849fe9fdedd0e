// The types of rows and rejects, and the formats of rosters.
import type { IdentityChange } from './identity-change.ts';

/** Where a row stands and what it holds, as read: one record of a roster. */
export interface Row {
  /** The file as the person named it. */
  file: string;
  /** The 1-based line on which the record begins. */
  line: number;
  cells: string[];
  /** The places of the cells that the row itself does not have, because it is cut short; they were filled in empty. */
  missing?: ReadonlySet<number>;
  /** The columns whose cells hold a formula whose value was never stored: they read as empty. */
  uncomputed?: readonly string[];
  /** Why the source itself says that this is nobody to enrol, such as `status is tobedeleted`: counted, never mapped. */
  leftOut?: string;
}

/** A row that cannot become a member. */
export interface Reject extends Row {
  /** The column that is to blame, as the header names it; empty when it is the row as a whole. */
  column: string;
  /** What that column held. */
  value: string;
  /** Why, in words that a person can act on. */
  reason: string;
  /** Rows of other people may be lost in it: nobody counts as missing from its roster (R10). */
  hidesOthers?: true;
  /** Whose row it is (`personKey`), where its address can be read. */
  person?: string;
  /** What changed of this person's identity, where the row waits for a person's decision about that (`resolve`). */
  identityChange?: IdentityChange['kind'];
}

/** Tells a row that cannot become a member from one that may, or did. */
export function isReject(row: object): row is Reject {
  return 'reason' in row;
}

/** What a roster is written in. A bundle is a folder or zip archive of files that are joined. */
export const rosterFormats = ['csv', 'xlsx', 'ods', 'xls', 'html', 'json', 'ndjson', 'bundle'] as const;
export type RosterFormat = (typeof rosterFormats)[number];

/** What is known about a roster's form: enough to tell it to a person and to write a file of the same form. */
export interface RosterForm {
  file: string;
  format: RosterFormat;
  /**
   * A WHATWG encoding label or a name of iconv-lite: `utf-8`, `windows-1250`, `cp850`. With the next four: how the rejects of
   * the roster are written; what is no CSV has its rejects written as CSV in UTF-8, with commas.
   */
  encoding: string;
  /**
   * What the encoding was judged by, a line for each file: `windows-1250: Łukasz, Śliwiński`. To be shown, never to be kept:
   * they are words of the roster.
   */
  readAs?: string[];
  /** True when the file begins with a byte order mark. */
  bom?: boolean;
  delimiter: string;
  /** The header's cells as read; of JSON, the paths of the values (`name.givenName`). */
  header: string[];
  /** The line ending of the file. */
  newline: '\n' | '\r\n' | '\r';
  /** The 1-based line of the header; 0 if the form has none. */
  headerLine: number;
  /** What of the file was read: the sheet of a workbook, the JSON pointer of the records, the kind of a bundle, the file in an archive. */
  part?: string;
  /** The last line has no line end: some programs write it so, and a file that was cut off ends so. */
  isUnended?: boolean;
  /** The file says about itself that it holds only what has changed: nobody's absence from it means anything. */
  isPartial?: boolean;
  /**
   * What a person should hear of how the file was read, a sentence each: lines above the header that were left out,
   * numbers that a spreadsheet has spoilt. Some are added while the rows are read.
   */
  notes: string[];
}

/** The columns that a rejects file has besides the input's own. They are never read as part of a person. */
export const rejectColumns = ['_line', '_reason', '_run'] as const;

/** Tells one of the rejects file's own columns by its name in a header. */
export function isRejectColumn(name: string): boolean {
  return rejectColumns.some((column) => column === name.trim());
}

/** Whether a header is that of a file of rejects, which we wrote ourselves. */
export function isRejectsHeader(header: readonly string[]): boolean {
  return rejectColumns.every((column) => header.some((name) => name.trim() === column));
}
