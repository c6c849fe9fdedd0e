// What the page shows that asks whether a file is meant as it was read.
import type { LikeGroup } from '../core/inspect/like-groups.ts';
import type { ColumnUse } from '../core/mapping/column-uses.ts';
import type { RosterFile } from '../roster/roster-file.ts';

export interface CheckColumn {
  /** 0-based place in the header. */
  index: number;
  name: string;
  samples: readonly string[];
  use: ColumnUse;
  why: string;
  doubt?: string;
  /** What it can be used for besides what every column can: how its values would be split, a rule that says more. */
  more: readonly { use: ColumnUse; words: string }[];
}

export interface CheckFilter {
  /** As a sentence: `Leave out the 7 people whose Status is Left`. */
  words: string;
  isOn: boolean;
  /** The names of a few people whom it leaves out, and how many more there are. */
  names: readonly string[];
  further: number;
}

/** `headerLine` is 1-based, 0 where there is none; `part` is the sheet of a workbook, the file in an archive. */
export type CheckReading = Pick<RosterFile['form'], 'format' | 'encoding' | 'delimiter' | 'headerLine' | 'part'>;

/** What comes out of the rows: `rows = members + merged + filtered + rejects`. */
export type CheckSum = Record<'rows' | 'members' | 'merged' | 'filtered' | 'rejects', number>;

/** What was planned with this very choice. */
export type CheckPlan = Record<'invited' | 'silent' | 'later' | 'unchanged', number>;

export interface CheckProblem {
  message: string;
  field?: 'columns' | 'groups' | 'reading' | 'source';
}

export interface CheckView {
  upload: string;
  fileName: string;
  source: string;
  problems: readonly CheckProblem[];
  given: Partial<Record<'encoding' | 'delimiter' | 'headerLine' | 'sheet', string>>;
  /** The same names as other encodings read them, to pick by eye. */
  readings: readonly { encoding: string; names: readonly string[] }[];
  /** The sheets to choose from, where it is not known which one is meant. */
  sheets: readonly { name: string; words: string }[];
  /** Absent where the file cannot be read as it is said to be. */
  read?: CheckReading;
  rows: number;
  names: readonly string[];
  columns: readonly CheckColumn[];
  groups: readonly { group: string; from: string; people: number }[];
  /** The group for everybody; empty for none. */
  always: string;
  like: readonly LikeGroup[];
  filters: readonly CheckFilter[];
  later?: { people: number; from?: string; to?: string };
  invite: boolean;
  forceSync: boolean;
  sum?: CheckSum;
  plan?: CheckPlan;
  /** What is known about where the file comes from: that it is one of rejects, and of which run. */
  origin?: string;
  /** What was noticed of how the file is written, a sentence each. */
  readNotes: readonly string[];
  /** What was noticed of its rows, a sentence each. */
  rowNotes: readonly string[];
  /** Whether the choice is to be kept for the next file. */
  remember: boolean;
}
