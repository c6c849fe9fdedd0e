// The types of the tables of what was read of a roster.
import type { Generated, JSONColumnType } from 'kysely';
import type { IdentityChange } from '../../../core/rows/identity-change.ts';
import type { Action } from '../../../core/run/run.ts';
import type { RosterCensus } from '../../../core/guards/roster-census.ts';
import type { Names } from './columns.ts';

/** The people of a run's roster that matter to it; unchanged ones leave when the run is released. */
interface MemberTable {
  run_id: string;
  person_key: string;
  file: string;
  /** Lines of the roster that speak of this person, ascending. */
  lines: JSONColumnType<number[]>;
  firstname: string;
  lastname: string;
  email: string;
  telephone: string | null;
  groups: Names;
  employee_id: string | null;
  fingerprint: string;
  action: Action | null;
  /** Groups given before that an unchanged member no longer has: the interface cannot remove them. */
  left_behind: Generated<boolean>;
  /** A day as a number, such as 20261120, before which nothing is sent; null for at once. */
  starts_on: number | null;
  /** Counts for the day's budget of invitations. */
  may_invite: Generated<boolean>;
  /** Null for that of the run. */
  force_sync: boolean | null;
  /** It is sent although nothing changed: it was given longer ago than `refresh` says. */
  resend: Generated<boolean>;
}

/** Second and later rows of a person, until they are merged. */
interface DuplicateRowTable {
  run_id: string;
  person_key: string;
  file: string;
  line: number;
  member: JSONColumnType<object>;
}

/** People of a run who are as they were given, many in a row. A person is here or in `members`. */
interface UnchangedPeopleTable {
  id: Generated<number>;
  run_id: string;
  file: string;
  keys: string[];
  /** The line on which each stands. */
  lines: number[];
}

interface RejectTable {
  id: Generated<number>;
  run_id: string;
  file: string;
  line: number;
  column_name: string;
  value: string;
  reason: string;
  cells: Names;
  /** Whose row it is, where its address can be read. */
  person_key: string | null;
  /** Set where the row waits for a decision (`resolve`). */
  identity_change: IdentityChange['kind'] | null;
}

interface CensusTable {
  run_id: string;
  census: JSONColumnType<RosterCensus>;
}

/** Somebody who left, as the roster of a run says: by their own row, or by absence. */
interface DepartureTable {
  run_id: string;
  person_key: string;
  by_row: boolean;
  /** For the first time; the others leave when the run is released. */
  is_fresh: boolean;
}

/** Names and addresses of many people of a large run, packed for searching. */
interface SearchTextTable {
  run_id: string;
  /** Texts of a run follow each other in the order of the keys of their people. */
  place: number;
  /** A line for each person: their name in lower case, a space, their key. */
  text: string;
}

export interface RostersTables {
  members: MemberTable;
  duplicate_rows: DuplicateRowTable;
  unchanged_people: UnchangedPeopleTable;
  rejects: RejectTable;
  censuses: CensusTable;
  departures: DepartureTable;
  search_texts: SearchTextTable;
}
