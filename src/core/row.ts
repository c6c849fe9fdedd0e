/** Where a row stands and what it holds, as read: one record of a roster. */
export interface Row {
  /** The file as the person named it. */
  file: string;
  /** The 1-based line on which the record begins. */
  line: number;
  /** The cells as read, in the header's order. */
  cells: string[];
}

/** A row that cannot become a member. */
export interface Reject extends Row {
  /** The column that is to blame, as the header names it; empty when it is the row as a whole. */
  column: string;
  /** What that column held. */
  value: string;
  /** Why, in words that a person can act on. */
  reason: string;
}

/** Tells a row that cannot become a member from one that may, or did. */
export function isReject(row: object): row is Reject {
  return 'reason' in row;
}

/** What is known of a roster's form: enough to tell it to a person and to write a file of the same form. */
export interface RosterForm {
  file: string;
  /** A WHATWG encoding label: `utf-8`, `utf-16le`, `utf-16be`, `windows-1252`. */
  encoding: string;
  /** True when the file begins with a byte order mark. */
  bom?: boolean;
  delimiter: string;
  /** The header's cells as read. */
  header: string[];
  /** The line ending of the file. */
  newline: '\n' | '\r\n' | '\r';
}

/** The columns that a rejects file has besides the input's own. They are never read as part of a person. */
export const rejectColumns = ['_line', '_reason', '_run'] as const;

/** Tells one of the rejects file's own columns by its name in a header. */
export function isRejectColumn(name: string): boolean {
  return rejectColumns.some((column) => column === name.trim());
}
