// What a reason of a hold is about, in figures: what was usual, and what is now.
import type { RosterCensus } from '../../core/guards/roster-census.ts';
import type { Trip } from '../../core/guards/trip.ts';
import { partOf } from '../../core/guards/usual.ts';

/** A figure of rosters: of the last few, the oldest first, and of the one that is held. */
export interface UsualFigure {
  /** What is counted: `people`, `people in Marketing`. */
  of: string;
  before: { at: Date; value: number }[];
  now: number;
}

const figures: Partial<Record<string, [of: string, value: (census: RosterCensus) => number]>> = {
  shrink: ['people', ({ members }) => members],
  new: ['new people', (census) => census.new],
  invites: ['new people', (census) => census.new],
  maxInvitations: ['new people', (census) => census.new],
  changed: ['changed people', ({ changed }) => changed],
  rejects: ['rejected rows', ({ rejects }) => rejects],
};

/** The figure that a guard is about; undefined where it is about none, or nothing is known to compare with. */
export function usualFigureOf(
  { guard, scope }: Trip,
  { before, now }: { before: readonly { at: Date; census: RosterCensus }[]; now?: RosterCensus },
): UsualFigure | undefined {
  const [newest] = before.slice(-1);
  if (now === undefined || newest === undefined) return undefined;
  const [group] = guard === 'group' && scope !== 'all' && 'groups' in scope ? scope.groups : [];
  if (group !== undefined) {
    // Of earlier rosters the groups are not kept.
    const last = { at: newest.at, value: partOf(newest.census.groups, group) };
    return { of: `people in ${group}`, before: [last], now: partOf(now.groups, group) };
  }
  const [of, value] = figures[guard] ?? [];
  if (of === undefined || value === undefined) return undefined;
  return { of, before: before.map(({ at, census }) => ({ at, value: value(census) })), now: value(now) };
}
