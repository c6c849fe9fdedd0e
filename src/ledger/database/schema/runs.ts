// The types of the tables of runs, their approvals, and what is told about them.
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Channel, RunEvent } from '../../../core/run/notification.ts';
import type { RosterFacts, RunPlan, RunSettings, Stop, Trigger } from '../../../core/run/run.ts';
import type { RunStatus } from '../../../core/run/run-states.ts';
import type { ApprovalScope } from '../../../core/guards/hold.ts';
import type { Trip } from '../../../core/run/trip.ts';
import type { Time } from './columns.ts';

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

/** What lists show of a run that has ended, counted once. */
interface RunTotalsTable {
  run_id: string;
  /** Of the run when they were counted. */
  state_changes: number;
  totals: JSONColumnType<object>;
}

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

export interface RunsTables {
  runs: RunTable;
  run_totals: RunTotalsTable;
  notifications: NotificationTable;
  approvals: ApprovalTable;
}
