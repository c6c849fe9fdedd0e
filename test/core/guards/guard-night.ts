import assert from 'node:assert/strict';
import type { GuardFacts, Trip } from '../../../src/core/guards/trip.ts';
import type { GuardName } from '../../../src/core/guards/guard-settings.ts';
import { type RosterCensus, usualOf } from '../../../src/core/guards/usual.ts';

/** People in each group of that company. */
export const groups = { 'All staff': 1000, Sales: 400, Marketing: 312, IT: 288 };

/** The roster of a usual night of a company of a thousand. */
export function census(changes: Partial<RosterCensus> = {}): RosterCensus {
  return {
    ...{ rows: 1050, members: 1000, filtered: 40, rejects: 10, new: 5, changed: 5, read: 1050, known: 990 },
    filled: { 'First Name': 1050, Email: 1040, Department: 1000 },
    domains: { 'example.com': 950, 'example.org': 50 },
    groups,
    isUnended: false,
    ...changes,
  };
}

/** What its rosters usually look like. */
export const usual = usualOf([{ census: census(), isApproved: false }]);

/** What is known about that night. */
export function facts(changes: Partial<GuardFacts> & { of?: Partial<RosterCensus> } = {}): GuardFacts {
  const { of, ...others } = changes;
  return {
    ...{ runId: 'r1', source: 'staff', calls: 10, possibleInvitations: 5, isFirst: false, isUnattended: true },
    ...{ isPartial: false, leavers: 0, unknownGroups: [], moves: [] },
    counts: { new: 5, changed: 5, again: 0, unchanged: 990, later: 0, departed: 3, leftBehind: 0 },
    census: census(of),
    ...(usual && { usual }),
    ...others,
  };
}

/** The counts of that night's plan, but for these. */
export const counts = (changes: Partial<GuardFacts['counts']>): GuardFacts['counts'] => ({
  ...facts().counts,
  ...changes,
});

/** The one trip of this guard; fails when there is none. */
export function tripOf(guard: GuardName, trips: readonly Trip[]): Trip {
  const found = trips.filter((trip) => trip.guard === guard);
  assert.equal(found.length, 1, `${guard}: ${JSON.stringify(trips)}`);
  return found[0] as Trip;
}

/** The guards that tripped, in order. */
export const guardsOf = (trips: readonly Trip[]): string[] => trips.map(({ guard }) => guard);
