// The types of the tables that statements are built for; all tables are in the migrations.
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Back } from '../../core/access/back.ts';
import type { Role } from '../../core/access/roles.ts';
import type { Outcome } from '../../core/call/outcome.ts';
import type { IdentityChange } from '../../core/rows/identity-change.ts';
import type { Action, RosterFacts, RunPlan, RunSettings, Stop, Trigger } from '../../core/run/run.ts';
import type { RunStatus } from '../../core/run/run-states.ts';
import type { Trip } from '../../core/run/trip.ts';
import type { Scope, TokenScope } from '../../core/secrets/token.ts';

/** A time, `timestamptz`. */
type Time = ColumnType<Date, Date, Date>;
/** A list of names, `jsonb`. */
type Names = JSONColumnType<string[]>;

/** One row: this ledger's identity. */
interface LedgerTable {
  id: string;
  /** The key of the hashes in `forgotten`; never shown. */
  forget_key: ColumnType<string, never, string>;
  created_at: Generated<Date>;
  backups: Generated<number>;
  /** When it was exported; null while it is in use. */
  moved_at: Date | null;
}

interface RunTable {
  id: string;
  /** Counts up; the newest run has the highest. */
  number: Generated<number>;
  source: string;
  /** The service's normalised address. */
  service: string;
  trigger: Trigger;
  status: RunStatus;
  status_reason: string;
  /** Who stopped it, while it is stopped. */
  stopped_by: Stop['by'] | null;
  /** The newer run that took its place. */
  superseded_by: string | null;
  settings: JSONColumnType<RunSettings>;
  roster: JSONColumnType<RosterFacts> | null;
  plan: JSONColumnType<RunPlan> | null;
  /** The process that planned it. */
  worker: string;
  /** A few people whom an event named: it may plan and deliver at the same time as another run of its source, and its people go first. */
  beside: Generated<boolean>;
  created_at: Generated<Date>;
  /** Set while `delivering`, unless its process died and no other continues it; what counts for the deadline and the brake. */
  delivering_since: Time | null;
  /** Milliseconds spent in `delivering` before `delivering_since`. */
  delivered_ms: Generated<number>;
  /** What of `delivered_ms` was spent before the run was last retried, and does not count for its deadline. */
  deadline_from: Generated<number>;
  finished_at: Time | null;
  /** When retention removed its raw answers, its people and rejects, its receipts and deliveries. */
  answers_removed_at: Time | null;
  roster_removed_at: Time | null;
  receipts_removed_at: Time | null;
  /** Whether its roster says by absence who left, and whether that was noted. */
  snapshot: Generated<boolean>;
  missing_noted: Generated<boolean>;
  /** How often its state has changed, and when that was last; the database counts. */
  state_changes: Generated<number>;
  state_since: Generated<Date>;
  /** What guards stopped of its plan. */
  trips: ColumnType<Trip[], string | undefined, string>;
  /** Since when something of it waits for an approval. */
  held_at: Time | null;
  /** When it first released something, or found that nothing is to be sent: from then on its roster counts. */
  released_at: Time | null;
  /** Its people were given everything elsewhere; nothing was sent. */
  baseline: Generated<boolean>;
  /** Of a canary release the stage that is open. */
  stage: Generated<number>;
  /** Who brought its roster or started it; null where a schedule or an event did. */
  begun_by: string | null;
}

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

/** Somebody who left, as the roster of a run says: by their own row, or by absence. */
interface DepartureTable {
  run_id: string;
  person_key: string;
  by_row: boolean;
  /** For the first time; the others leave when the run is released. */
  is_fresh: boolean;
}

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

/** A person who was erased and must not be sent again. */
interface ForgottenTable {
  service: string;
  /** A keyed hash of the person's key. */
  digest: string;
  forgotten_at: Generated<Date>;
}

/** What the server of a source said about the roster of its last run. */
interface SourceStateTable {
  service: string;
  source: string;
  run_id: string;
  /** Identifies all that decides a plan, except the roster. */
  digest: string;
  etag: string | null;
  last_modified: string | null;
}

interface KeptSourceTable {
  name: string;
  /** Its settings as YAML, without where it is. */
  block: string;
  kept_by: string;
  kept_at: Generated<Date>;
}

/** Who is signed in to the pages, and links that sign in. */
interface SessionTable {
  id: string;
  /** SHA-256 of its secret, hexadecimal. */
  hash: string;
  /** As the audit names them. */
  name: string;
  scopes: JSONColumnType<Scope[]>;
  /** A link works once, and makes a session. */
  is_link: boolean;
  /** The key of the account that began it; null where none did. */
  account: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
}

interface AccountTable {
  /** By what it is found: `accountKey` of its name. */
  key: string;
  /** As the audit names them. */
  name: string;
  role: Role;
  /** scrypt with its parameters; the password itself is not kept. */
  password: string;
  created_at: Generated<Date>;
  last_sign_in_at: Time | null;
}

/** A browser that was sent to a sign-in service, and what it has to bring back. */
interface SignInTable {
  id: string;
  state: string;
  nonce: string;
  verifier: string;
  back: JSONColumnType<Back>;
  expires_at: Date;
}

/** A token of the API; its secret is not kept. */
interface TokenTable {
  id: string;
  name: string;
  /** SHA-256 of its secret, hexadecimal. */
  hash: string;
  scopes: JSONColumnType<TokenScope[]>;
  created_at: Generated<Date>;
  expires_at: ColumnType<Date | null, Date | null, never>;
  revoked_at: Time | null;
  last_used_at: Time | null;
}

interface AuditTable {
  id: Generated<number>;
  at: Generated<Date>;
  by: string;
  action: string;
  run_id: string | null;
  origin: string;
}

/** As kysely sees them; the migrations make them, and a contract test compares the two. Others are for SQL alone. */
export interface Tables {
  ledger: LedgerTable;
  runs: RunTable;
  members: MemberTable;
  duplicate_rows: DuplicateRowTable;
  rejects: RejectTable;
  departures: DepartureTable;
  people: PersonTable;
  forgotten: ForgottenTable;
  source_states: SourceStateTable;
  kept_sources: KeptSourceTable;
  sessions: SessionTable;
  accounts: AccountTable;
  sign_ins: SignInTable;
  tokens: TokenTable;
  audit: AuditTable;
}
