// The types of the tables of what is remembered about people.
import type { Generated } from 'kysely';
import type { IdentityDecision } from '../../../core/rows/identity-change.ts';
import type { Outcome } from '../../../core/call/outcome.ts';
import type { Time, Names } from './columns.ts';

/** What a person was last given by a source at a service, and how their last delivery ended. */
interface PersonTable {
  service: string;
  source: string;
  person_key: string;
  /** Null while nothing was given successfully. */
  fingerprint: string | null;
  firstname: string | null;
  lastname: string | null;
  email: string | null;
  telephone: string | null;
  groups: Names | null;
  force_sync: boolean | null;
  given_at: Time | null;
  given_run: string | null;
  last_outcome: Outcome;
  last_run: string;
  /** The id at the employer, where the source has one. */
  employee_id: string | null;
  /** In how many runs in a row the service refused this person; null in what older backups hold. */
  refusals: Generated<number | null>;
  /** In how many rosters in a row this person lacked, and since when. */
  missing_runs: Generated<number>;
  missing_since: Time | null;
}

/** A group that somebody was given and their source no longer names; gone once it is given again. */
interface LeftBehindTable {
  service: string;
  person_key: string;
  group_name: string;
  /** The last source that gave it. */
  source: string;
  given_at: Time | null;
  given_run: string | null;
  /** Null while the last call for this person, which gave it, was accepted only in part. */
  since: Time | null;
  since_run: string | null;
  /** When a call with `forceSync` that did not name it was accepted, and of which run. */
  taken_at: Time | null;
  taken_run: string | null;
  /** When somebody said that it was taken out by hand, and who. */
  done_at: Time | null;
  done_by: string | null;
}

/** What a person decided of somebody whose address changed, or whose address somebody else has now. */
interface ResolutionTable {
  id: Generated<number>;
  service: string;
  source: string;
  old_key: string;
  new_key: string;
  decision: IdentityDecision;
  employee_id: string | null;
  decided_at: Generated<Date>;
}

/** A person who was erased and must not be sent again. */
interface ForgottenTable {
  service: string;
  /** A keyed hash of the person's key. */
  digest: string;
  forgotten_at: Generated<Date>;
}

export interface PeopleTables {
  people: PersonTable;
  left_behind: LeftBehindTable;
  resolutions: ResolutionTable;
  forgotten: ForgottenTable;
}
