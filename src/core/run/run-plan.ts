// What was read of a roster and what a run would send of it: counts, and the plan as a value.
import { z } from 'zod';
import { object } from '../../data/described.ts';

/** A whole number from 0. */
const count = z.int().min(0);

/** What was read. */
export const RosterCounts = object('Roster', {
  rows: count,
  members: count,
  /** Rows that joined another row of the same person. */
  merged: count,
  filtered: count,
  rejects: count,
  erased: count.exactOptional(),
});
export type RosterCounts = z.infer<typeof RosterCounts>;

/** Counts of a plan: `members = new + changed + again + unchanged + later`. */
export const PlanCounts = object('Plan', {
  new: count,
  changed: count,
  again: count,
  unchanged: count,
  later: count,
  /** People who are no longer in a complete roster, or whose row says that they left; they are no members. */
  departed: count,
  /** People who keep groups that the roster does not name: the service takes nobody out of a group without `forceSync`. */
  leftBehind: count,
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
  changes: z
    .object({
      names: count,
      /** The way their address is written. */
      addresses: count,
      telephones: count,
      groupsAdded: count,
      groupsRemoved: count,
      forceSync: count,
    })
    .exactOptional(),
  /** Of what this source gave: there may be more, given by hand. */
  removals: z.object({ atLeast: count, people: count, sentence: z.string() }).exactOptional(),
  settingsChanged: z.array(z.object({ setting: z.string(), before: z.string(), now: z.string() })).exactOptional(),
  departures: object('Departures', {
    /** Those too who are sent without having been counted when they were first missing. */
    departed: count,
    left: count,
    sent: count,
    waiting: count,
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
