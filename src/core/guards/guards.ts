// Runs all guards on a plan and returns what they stop, and why.
import type { GuardFacts, Trip } from './trip.ts';
import { judgeFile } from './guard-roster.ts';
import { judgeGroups } from './guard-groups.ts';
import { judgePeople } from './guard-people.ts';
import type { GuardSettings } from './guard-settings.ts';

/**
 * Everything where the roster itself looks wrong, else only what looks wrong. Those that hold everything come first.
 */
export function judge(facts: GuardFacts, guards: GuardSettings): Trip[] {
  const trips = [...judgeFile(facts, guards), ...judgePeople(facts, guards), ...judgeGroups(facts, guards)];
  return trips.toSorted((a, b) => Number(b.scope === 'all') - Number(a.scope === 'all'));
}
