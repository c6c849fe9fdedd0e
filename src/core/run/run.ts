// The settings and counts of a run, and the type of a plan.
import type { Outcome } from '../call/outcome.ts';
import type { RetryPolicy } from '../call/retry.ts';
import type { Rate } from '../pace/pacing.ts';
import type { RosterForm } from '../rows/row.ts';
import type { RosterCounts } from './run-plan.ts';
import { hasEnded, type RunStatus } from './states.ts';

export type { Departures, PlanChanges, PlanCounts, RosterCounts, RunPlan, SettingChange } from './run-plan.ts';

/** The outcome of a delivery of a run in this state: what a run that has ended did not send is cancelled. */
export function outcomeIn(status: RunStatus, outcome: Outcome | null): Outcome | null {
  return outcome ?? (hasEnded(status) ? 'cancelled' : null);
}

/** Why a run was stopped, and by whom: the service's answers, a Ctrl-C, a person's command, a full disk, or a guard. */
export interface Stop {
  by: 'service' | 'interruption' | 'person' | 'storage' | 'guard';
  reason: string;
}

export const triggers = ['import', 'sync', 'schedule', 'event', 'api'] as const;
export type Trigger = (typeof triggers)[number];

/** Why a member is sent, and so what a delivery may be, held or approved: `departed` has left and is put among the leavers. */
export const sentActions = ['new', 'changed', 'again', 'unchanged', 'departed'] as const;
/** Why a member is sent, or not: `later` is not their day yet. */
export type Action = SentAction | 'later';
export type SentAction = (typeof sentActions)[number];

/** The settings a run was planned with; it is delivered with the same, whatever the config says by then. */
export interface RunSettings extends RetryPolicy {
  forceSync: boolean;
  invite: boolean;
  rate: Rate;
  /** True when somebody chose the rate for this run: it then keeps to it where the service's pace is faster. */
  ownRate?: boolean;
  /** Time in `delivering` after which the run ends, in ms. */
  deadlineMs: number;
}

export interface RosterFacts {
  form: RosterForm;
  counts: RosterCounts;
  /** SHA-256 of the bytes, hexadecimal. */
  checksum: string;
  /** ISO 8601; the time the roster speaks of. */
  time: string;
  /** True when only some of its people were asked for, so that it says nothing about the others. */
  partial: boolean;
  /** Some of its rows may be lost, so that nobody counts as missing from it, nor from a group. */
  hasLostRows?: true;
  /** How it was mapped, where it was uploaded with a mapping of its own, as it was written; it names columns and groups, not people. */
  mapping?: object;
}

/** One person and one of their groups in one run. Null is what nobody knows. */
export interface ResultRow {
  email: string;
  firstname: string;
  lastname: string;
  group: string;
  /** Why the person was sent: new, changed, again or unchanged. */
  action: Action;
  outcome: Outcome | null;
  /** What the service said about this group. */
  status: string | null;
  inserts: number | null;
  warnings: number | null;
  /** Calls made for the person in this run. */
  attempts: number;
  /** A call may have happened twice: its connection broke, or its process ended, before an answer to it was kept. */
  repeated: boolean;
  /** `hash` of the last answer. */
  hash: string | null;
  /** `response_time` of the last answer; its unit is not documented. */
  responseTime: number | null;
  httpStatus: number | null;
  /** Why the outcome is what it is; empty when there is nothing to say. */
  reason: string;
}
