// The TypeScript types of all tables.
import type { DeliveryState } from '../../core/run/delivery-states.ts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { GroupResult, AnswerKind } from '../../core/call/answer.ts';
import type { IdentityChange, IdentityDecision } from '../../core/person/identity-change.ts';
import type { Channel, RunEvent } from '../../core/run/notification.ts';
import type { Outcome } from '../../core/call/outcome.ts';
import type { Scope } from '../../core/secrets/token.ts';
import type { Action, RosterFacts, RunPlan, RunSettings, Stop, Trigger } from '../../core/run/run.ts';
import type { RunStatus } from '../../core/run/run-states.ts';
import type { RosterCensus } from '../../core/guards/roster-census.ts';
import type { ApprovalScope } from '../../core/guards/hold.ts';
import type { Trip } from '../../core/guards/trip.ts';

/** The tables, as kysely sees them; migrations.ts creates them. Times are `timestamptz`. */
export interface Tables {
  ledger: LedgerTable;
  runs: RunTable;
  members: MemberTable;
  duplicate_rows: DuplicateRowTable;
  unchanged_people: UnchangedPeopleTable;
  rejects: RejectTable;
  censuses: CensusTable;
  deliveries: DeliveryTable;
  receipts: ReceiptTable;
  group_results: GroupResultTable;
  people: PersonTable;
  left_behind: LeftBehindTable;
  resolutions: ResolutionTable;
  workers: WorkerTable;
  feeders: FeederTable;
  paces: PaceTable;
  source_states: SourceStateTable;
  departures: DepartureTable;
  schedules: ScheduleTable;
  ticks: TickTable;
  events: EventTable;
  event_handlers: EventHandlerTable;
  event_counts: EventCountTable;
  forgotten: ForgottenTable;
  notifications: NotificationTable;
  approvals: ApprovalTable;
  seen_evidence: SeenEvidenceTable;
  sessions: SessionTable;
  tokens: TokenTable;
  audit: AuditTable;
}

type Time = ColumnType<Date, Date, Date>;
type Names = JSONColumnType<string[]>;

/** One row: this ledger's identity. */
interface LedgerTable {
  id: string;
  /** The key of the hashes in `forgotten`; never shown. */
  forget_key: ColumnType<string, never, string>;
  created_at: Generated<Date>;
  /** How many backups it has written. */
  backups: Generated<number>;
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
  /** Set while `delivering`; what counts for the deadline and for the brake. */
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
  /** Of a careful release the stage that is open. */
  stage: Generated<number>;
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

/** What the roster of a run looks like. */
interface CensusTable {
  run_id: string;
  census: JSONColumnType<RosterCensus>;
}

interface DeliveryTable {
  id: Generated<number>;
  run_id: string;
  service: string;
  person_key: string;
  action: Action;
  state: DeliveryState;
  /** The stage of a careful release in which it becomes due. */
  stage: Generated<number>;
  /** In how many runs in a row the service had refused this person when it was planned. */
  refusals: Generated<number>;
  /** How often it was put into the queue; part of the job's id. */
  feeds: Generated<number>;
  attempts: Generated<number>;
  calls: Generated<number>;
  /** True when a call was repeated that may have happened. */
  repeated: Generated<boolean>;
  due_at: Generated<Date>;
  /** When it was last put into the queue. */
  queued_at: Time | null;
  claimed_by: string | null;
  /** When the call in flight was about to be written; null while none is. */
  called_at: Time | null;
  ended_at: Time | null;
  outcome: Outcome | null;
  reason: Generated<string>;
  /** Of the last call: the kind of its answer, and its HTTP status; failures of one kind and status are alike. */
  answer_kind: AnswerKind | null;
  answer_status: number | null;
}

interface ReceiptTable {
  delivery_id: number;
  /** 1 for a delivery's first call. */
  call: number;
  /** Counts up. */
  id: Generated<number>;
  run_id: string;
  kind: AnswerKind;
  http_status: number | null;
  hash: string | null;
  response_time: number | null;
  /** What the service said about each group; none if it did not accept. */
  results: JSONColumnType<GroupResult[]>;
  /** To be looked at: not accepted, or with a warning, or with a status other than `success`. */
  notable: boolean;
  reason: string;
  headers: JSONColumnType<Record<string, string>>;
  body: string | null;
  body_cut: boolean;
  called_at: Time;
  answered_at: Time;
}

/** A view: the results of all receipts, one row each. */
interface GroupResultTable {
  delivery_id: number;
  call: number;
  run_id: string;
  position: number;
  group_name: GroupResult['group'];
  status: GroupResult['status'];
  inserts: GroupResult['inserts'];
  warnings: GroupResult['warnings'];
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

/** A process that plans or delivers, and when it last gave a sign of life. */
interface WorkerTable {
  id: string;
  seen_at: Generated<Date>;
  /** Since when it has given signs of life without a gap. */
  alive_since: Generated<Date>;
}

/** The process that feeds the queue of a service, and until when unless it says so again. */
interface FeederTable {
  service: string;
  worker: string;
  until: Date;
}

/** The share of the configured rate that a service bore when it was last called. */
interface PaceTable {
  service: string;
  share: number;
  throttled_until: Date | null;
  throttled_ms: number | null;
  throttle_reason: string | null;
}

/** A verified event of a source. */
interface EventTable {
  id: Generated<number>;
  source: string;
  /** What it is known by, should it come again; see core/webhooks/event.ts. */
  key: string;
  received_at: Generated<Date>;
  /** In the sender's words. */
  kind: string;
  /** The ids of the people it is about; null if it does not name them all. */
  employees: JSONColumnType<string[]> | null;
  /** The people it carries, as long as it waits. */
  people: JSONColumnType<Record<string, unknown>[]> | null;
  /** As it came; null once retention has removed it. */
  body: string | null;
  state: 'waiting' | 'handled';
  /** The run that it led to, where there was one. */
  run_id: string | null;
  handled_at: Time | null;
}

/** The process that handles the events of a source until then, and what has failed since it last went well. */
interface EventHandlerTable {
  source: string;
  worker: string;
  until: Date;
  failures: Generated<number>;
  retry_at: Time | null;
  reason: Generated<string>;
}

/** How many requests of a day (UTC) ended how; all that is kept of those that were not believed. */
interface EventCountTable {
  source: string;
  day: Date;
  result: string;
  count: number;
}

/** A source that is read by itself, and since when its times count. */
interface ScheduleTable {
  service: string;
  source: string;
  cron: string;
  timezone: string;
  since: Time;
}

/** A time at which a source was due: one row, no matter who noticed it. */
interface TickTable {
  service: string;
  source: string;
  due_at: Time;
  noticed_by: string;
  /** The process that carries it out. */
  worker: string;
  run_id: string | null;
  /** Null while it is being carried out. */
  result: string | null;
  reason: Generated<string>;
  begun_at: Generated<Date>;
  ended_at: Time | null;
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

/** Who approved what of a run that was held. */
interface ApprovalTable {
  id: Generated<number>;
  run_id: string;
  at: Generated<Date>;
  /** A user at a machine, or who is known to the API. */
  approved_by: string;
  note: Generated<string>;
  /** The hash of the plan that was approved. */
  hash: string;
  scope: JSONColumnType<ApprovalScope>;
}

/** What of answers of a service was seen: a warning, a status, or a shape. */
interface SeenEvidenceTable {
  service: string;
  kind: string;
  first_seen_at: Generated<Date>;
  first_run: string;
}

/** A notification about a run that one channel has to send: an outbox. */
interface NotificationTable {
  id: Generated<number>;
  /** Null of answers; of a run, the next three are. */
  run_id: string | null;
  service: string | null;
  source: string | null;
  /** The time that was due, of which is told. */
  tick_due_at: Time | null;
  event: RunEvent;
  /** Which change of its state it is, and which day of a reminder: what is told once. */
  occasion: string;
  state_changes: number;
  channel: Channel;
  created_at: Generated<Date>;
  /** When it is tried, or tried again. */
  due_at: Generated<Date>;
  attempts: Generated<number>;
  /** Null while it is to be tried. */
  ended: 'sent' | 'outdated' | 'given-up' | null;
  ended_at: Time | null;
  /** Why it could not be sent the last time; empty when there was no trouble. */
  trouble: Generated<string>;
}

/** A person who was erased and must not be sent again. */
interface ForgottenTable {
  service: string;
  /** A keyed hash of the person's key. */
  digest: string;
  forgotten_at: Generated<Date>;
}

/** Who is signed in to the pages, and links that sign in. */
interface SessionTable {
  id: string;
  hash: string;
  name: string;
  scopes: JSONColumnType<Scope[]>;
  is_link: boolean;
  created_at: Generated<Date>;
  expires_at: Date;
}

/** A token of the API; its secret is not kept. */
interface TokenTable {
  id: string;
  name: string;
  /** SHA-256 of its secret, hexadecimal. */
  hash: string;
  scopes: JSONColumnType<Scope[]>;
  created_at: Generated<Date>;
  expires_at: ColumnType<Date | null, Date | null, never>;
  revoked_at: Time | null;
  last_used_at: Time | null;
}

/** What somebody did through the API, or with its tokens. */
interface AuditTable {
  id: Generated<number>;
  at: Generated<Date>;
  by: string;
  action: string;
  run_id: string | null;
  origin: string;
}

/** Somebody who left, as the roster of a run says: by their own row, or by absence. */
interface DepartureTable {
  run_id: string;
  person_key: string;
  by_row: boolean;
  /** For the first time; the others leave when the run is released. */
  is_fresh: boolean;
}
