// The settings and counts of a run, and the type of a plan.
import type { Outcome } from '../call/outcome.ts';
import type { RetryPolicy } from '../call/retry.ts';
import type { Rate } from '../pace/pacing.ts';
import type { RosterForm } from '../rows/row.ts';
import { hasEnded, type RunStatus } from './states.ts';

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

/** What was read. `rows = members + merged + filtered + rejects`, always. */
export interface RosterCounts {
  rows: number;
  members: number;
  /** Rows that joined another row of the same person. */
  merged: number;
  filtered: number;
  rejects: number;
  /** Of the rejects, rows of people who were erased, which nobody can correct; absent if there are none. */
  erased?: number;
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
  /** How it was mapped, where it was uploaded with a mapping of its own, as it was written; it names columns and groups, not people. */
  mapping?: object;
}

/** Counts of a plan: `members = new + changed + again + unchanged + later`. */
export interface PlanCounts {
  new: number;
  changed: number;
  again: number;
  unchanged: number;
  later: number;
  /** People who are no longer in a complete roster, or whose row says that they left; they are no members. */
  departed: number;
  /** People who keep groups that the roster does not name: the service takes nobody out of a group without `forceSync`. */
  leftBehind: number;
  /** How many groups these keep, all together; absent if there are none. */
  leftBehindGroups?: number;
}

/** As a value: what would be sent. */
export interface RunPlan {
  counts: PlanCounts;
  calls: number;
  /** People nobody has been given at this service by any source, when `invite` is on. */
  possibleInvitations: number;
  /** Groups by name with the number of people who are put into them. */
  groups: { group: string; adds: number }[];
  /** Stands for exactly what would be sent, and how (core/plan.ts). Absent, as all below, in plans of older versions. */
  hash?: string;
  /** What changed of those who changed; absent if nobody did. */
  changes?: PlanChanges;
  /** What `forceSync` may take away; absent without it. */
  removals?: RemovalNotice;
  settingsChanged?: SettingChange[];
  estimate?: PlanEstimate;
  /** Who left; absent if the roster cannot tell. */
  departures?: Departures;
}

export interface Departures {
  /** People missing for the first time, or sent without having been counted when they were first missing. */
  departed: number;
  /** All who left and still have what they were given. */
  left: number;
  /** Who is put into the group of leavers by this run. */
  sent: number;
  /** Who would be, but for their grace. */
  waiting: number;
}

/** How many of those who changed have changed in what; one person may count several times. */
export interface PlanChanges {
  names: number;
  /** The way their address is written. */
  addresses: number;
  telephones: number;
  groupsAdded: number;
  groupsRemoved: number;
  forceSync: number;
}

/** What `forceSync` may take away of what this source gave. */
export interface RemovalNotice {
  /** Memberships; there may be more, given by hand. */
  atLeast: number;
  people: number;
  sentence: string;
}

export interface SettingChange {
  setting: string;
  before: string;
  now: string;
}

export interface PlanEstimate {
  ms: number;
  /** As people write it: `50/s`. */
  rate: string;
  /** Of the rate, above 0 and at most 1: what the service bore when it was last called. */
  share: number;
  deadlineMs: number;
  isInTime: boolean;
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
