// Runs all guards on a plan and returns what they stop, and why.
import type { GuardFacts, Trip } from './trip.ts';
import { judgeFile } from './guard-roster.ts';
import { judgeGroups } from './guard-groups.ts';
import { judgePeople } from './guard-people.ts';
import type { GuardSettings } from './guard-settings.ts';
import { say } from '../words/say.ts';

/**
 * Everything where the roster itself looks wrong, else only what looks wrong. Those that hold everything come first. A guard
 * whose hold a person has cancelled lets half as much pass until something is sent: a plan like that one is held too.
 */
export function judge(facts: GuardFacts, guards: GuardSettings): Trip[] {
  const { id = '', trips: stopped = [] } = facts.cancelled ?? {};
  const isStrict = (name: string): boolean => name in guards && stopped.some(({ guard }) => guard === name);
  const strict = Object.fromEntries(
    Object.entries(guards).map(([name, limits]) => [name, isStrict(name) ? halved(limits) : limits]),
  ) as GuardSettings;
  const trips = [...judgeFile(facts, strict), ...judgePeople(facts, strict), ...judgeGroups(facts, strict)].map(
    (trip) =>
      isStrict(trip.guard) ? { ...trip, message: `${trip.message} ${say('cancelledBefore', 1, { id })}` } : trip,
  );
  return trips.toSorted((a, b) => Number(b.scope === 'all') - Number(a.scope === 'all'));
}

/** Half of what may be missing or different; the number that is too small for a share to matter is the same. */
function halved(limits: GuardSettings[keyof GuardSettings]): object | 'off' {
  if (limits === 'off') return limits;
  const isShare = 'percent' in limits || 'points' in limits;
  const halves = Object.entries(limits).map(([key, limit]) => [key, isShare && key === 'count' ? limit : limit / 2]);
  return Object.fromEntries(halves) as object;
}
