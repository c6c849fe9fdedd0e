// The types of rows and rejects, the formats of rosters, and what a changed address or employee id says.
import { neverStored } from '../cells/placeholders.ts';
import { say } from '../words/say.ts';

export interface Row {
  file: string;
  /** The 1-based line on which the record begins. */
  line: number;
  cells: string[];
  /** The places of the cells that the row itself does not have, because it is cut short; they were filled in empty. */
  missing?: ReadonlySet<number>;
  /** Why the source itself says that this is nobody to enrol, such as `status is tobedeleted`: counted, never mapped. */
  leftOut?: string;
  /** The file ends in it, and nothing ends its line: it may be cut off. */
  isUnended?: true;
  /** Rows of other people, or values that are joined to this one, may be lost: nobody counts as missing from its roster (R10). */
  hidesOthers?: true;
}

/** A few kinds of rejects, for figures that name nobody. */
export const rejectKinds = [
  ...(['empty', 'not-an-address', 'shared-address', 'identity-change', 'name', 'day', 'yes-or-no', 'group'] as const),
  ...(['damaged', 'forgotten', 'other'] as const),
] as const;
export type RejectKind = (typeof rejectKinds)[number];

export interface Reject extends Row {
  /** The column that is to blame, as the header names it; empty when it is the row as a whole. */
  column: string;
  /** What that column held. */
  value: string;
  /** Why, in words that a person can act on. */
  reason: string;
  /** Absent of what a ledger has kept, and of what is none of the others. */
  kind?: RejectKind;
  /** Whose row it is (`personKey`), where its address can be read. */
  person?: string;
  /** The employee id in it, where that can be read. */
  employeeId?: string;
  /** What changed of this person's identity, where the row waits for a person's decision about that (`resolve`). */
  identityChange?: IdentityChange['kind'];
}

/** The row in which a file was cut off, and what tells that. */
export function cutOff(row: Row | Reject, reason: string): Reject {
  return isReject(row) ? row : { ...row, column: '', value: '', reason, kind: 'damaged', hidesOthers: true };
}

/** A row in the order of another header, of which `places` has the place of each column in its own; what it has too many of stays behind. */
export function arrange<Any extends Row | Reject>(row: Any, places: readonly number[], width: number): Any {
  const { cells, missing } = row;
  const arranged = { ...row, cells: [...places.map((place) => cells[place] ?? ''), ...cells.slice(width)] };
  if (missing) arranged.missing = new Set(places.flatMap((place, at) => (missing.has(place) ? [at] : [])));
  return arranged;
}

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
  /** A WHATWG label, or iconv-lite's. With the next four: how rejects are written; CSV in UTF-8 for no CSV. */
  encoding: string;
  /** A line for each file: `windows-1250: Łukasz, Śliwiński`. Never to be kept: they are words of the roster. */
  readAs?: string[];
  /**
   * Of all files that a pattern matches, that pattern and the files, `sheetsOf` and all sheets, or `bundleOf` and the files of a bundle;
   * also those that belong to them, and were not there.
   */
  joined?: { of: string; files: readonly string[] };
  /** Of several files those that are older than the newest one, with their times, ISO 8601. Not kept. */
  olderFiles?: Readonly<Record<string, string>>;
  /** True when the file begins with a byte order mark. */
  bom?: boolean;
  delimiter: string;
  /** The header's cells as read; of JSON, the paths of the values (`name.givenName`). */
  header: string[];
  /** The columns that some of its files do not have, of a roster of several. */
  lacking?: readonly string[];
  newline: '\n' | '\r\n' | '\r';
  /** The 1-based line of the header; 0 if the form has none. */
  headerLine: number;
  /** What of the file was read: the sheet of a workbook, the JSON pointer of the records, the kind of a bundle, the file in an archive. */
  part?: string;
  /** The last line has no line end: some programs write it so, and a file that was cut off ends so. */
  isUnended?: boolean;
  /** The file says about itself that it holds only what has changed: nobody's absence from it means anything. */
  isPartial?: boolean;
  /** A sentence each. Some are added while the rows are read. */
  notes: string[];
}

/** What joins all sheets of a workbook. */
export const [sheetsOf, bundleOf] = ['sheets', 'bundle'];
/** The column that names the sheet of a row, where several are read. */
export const sheetColumn = '_sheet';

/** They are never read as part of a person. */
export const rejectColumns = ['_line', '_reason', '_run'] as const;

export function isRejectColumn(name: string): boolean {
  return rejectColumns.some((column) => column === name.trim());
}

export function isRejectsHeader(header: readonly string[]): boolean {
  return rejectColumns.every((column) => header.some((name) => name.trim() === column));
}

/** The row, and what is wrong with one of its cells. */
export function rejectOf(
  row: Row,
  column: { name: string; index: number } | undefined,
  reason: string,
  kind: RejectKind = 'other',
): Reject {
  if (!column) return { ...row, column: '', value: '', reason, kind };
  const value = row.cells[column.index] ?? '';
  const isKnown = value.trim() !== neverStored;
  return { ...row, column: column.name, value, reason: isKnown ? reason : say('neverStored', 1), kind };
}

/** A person of a roster whose identity is not what was remembered about them. */
export type IdentityChange =
  /** The same employee has another address. */
  | { kind: 'moved'; employeeId: string; email: string; oldEmail: string }
  /** The account of this address was renamed at the service, and has another one now. */
  | { kind: 'renamed'; email: string; newEmail: string }
  /** The same address belongs to another employee. */
  | { kind: 'recycled'; employeeId: string; oldEmployeeId: string; email: string };

/** What a person decides of an identity change. */
export type IdentityDecision = 'renamed-there' | 'new-account';

export function sayIdentityChange(change: IdentityChange): string {
  if (change.kind === 'moved') {
    return say('movedPerson', 1, { employeeId: change.employeeId, oldEmail: change.oldEmail });
  }
  if (change.kind === 'renamed') return say('renamedPerson', 1, { newEmail: change.newEmail });
  return say('recycledPerson', 1, { employeeId: change.employeeId, oldEmployeeId: change.oldEmployeeId });
}

/** The address of a known account in what `sayIdentityChange` said; empty where that is the row's own. An address has no space. */
export function formerAddress(said: string): string {
  return (
    /^(?:employee .* was|this address was renamed at the service, to) (\S+?)(?: until now)?: waits /s.exec(said)?.[1] ??
    ''
  );
}
