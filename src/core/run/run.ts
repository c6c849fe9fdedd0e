// The settings and counts of a run, what was read of its roster, and its plan as a value.
import type { Outcome } from '../call/outcome.ts';
import type { RetryPolicy } from '../call/retry.ts';
import type { Rate } from '../pace/pacing.ts';
import type { RosterForm } from '../rows/row.ts';
import { hasEnded, type RunStatus } from './states.ts';
import { z } from 'zod';
import { each, object } from '../../data/described.ts';

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
  /** The time that its server gives it, where that is the one of the roster before too, and is not believed. */
  saidTime?: string;
  /** True when only some of its people were asked for, so that it says nothing about the others. */
  partial: boolean;
  /** Some of its rows may be lost, so that nobody counts as missing from it, nor from a group. */
  hasLostRows?: true;
  /** The one before, read again: it counts nobody as missing. Noted at the release. */
  readAgain?: true;
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

/** A whole number from 0. */
const count = z.int().min(0);

/** What was read; `merged`: rows that joined another row of the same person. */
export const RosterCounts = object('Roster', {
  ...each(count, 'rows', 'members', 'merged', 'filtered', 'rejects'),
  erased: count.exactOptional(),
});
export type RosterCounts = z.infer<typeof RosterCounts>;

/**
 * Counts of a plan: `members = new + changed + again + unchanged + later`. Who is `departed` is no longer in a complete roster,
 * or their row says that they left; they are no members. Who is `leftBehind` keeps groups that the roster does not name: the
 * service takes nobody out of a group without `forceSync`.
 */
export const PlanCounts = object('Plan', {
  ...each(count, 'new', 'changed', 'again', 'unchanged', 'later', 'departed', 'leftBehind'),
  leftBehindGroups: count.exactOptional(),
});
export type PlanCounts = z.infer<typeof PlanCounts>;

/** As a value: what would be sent. What is optional is absent in plans of older versions. */
export const RunPlan = object('RunPlan', {
  counts: PlanCounts,
  calls: count,
  /** People nobody has been given at this service by any source, when `invite` is on. */
  possibleInvitations: count,
  /** Groups by name with the number of people who are put into them. */
  groups: z.array(z.object({ group: z.string(), adds: count })),
  /** See core/run/plan.ts. */
  hash: z.string().exactOptional(),
  /** `addresses`: the way their address is written. */
  changes: z
    .object(each(count, 'names', 'addresses', 'telephones', 'groupsAdded', 'groupsRemoved', 'forceSync'))
    .exactOptional(),
  /** Of what this source gave: there may be more, given by hand. */
  removals: z.object({ atLeast: count, people: count, sentence: z.string() }).exactOptional(),
  settingsChanged: z.array(z.object({ setting: z.string(), before: z.string(), now: z.string() })).exactOptional(),
  /**
   * `departed`: those too who are sent without having been counted when they were first missing. `elsewhere`: whom another source
   * has now, and who are not put among the leavers.
   */
  departures: object('Departures', {
    ...each(count, 'departed', 'left', 'sent', 'waiting'),
    elsewhere: count.exactOptional(),
    forceSync: z.boolean().exactOptional(),
  }).exactOptional(),
  estimate: object('RunPlan.estimate', {
    ms: z.number(),
    /** As people write it: `50/s`. */
    rate: z.string(),
    share: z.number(),
    deadlineMs: z.number(),
    isInTime: z.boolean(),
  }).exactOptional(),
});
export type RunPlan = z.infer<typeof RunPlan>;
export type Departures = NonNullable<RunPlan['departures']>;
export type PlanChanges = NonNullable<RunPlan['changes']>;
export type SettingChange = NonNullable<RunPlan['settingsChanged']>[number];
