// What a person needs to decide about a hold: the groups it stops; for each reason, what was usual and what is now.
import type { z } from 'zod';
import type { RunDocument } from '../../acts/shapes/run.ts';
import type { Trip } from '../../core/guards/trip.ts';
import { type RosterCensus, partOf } from '../../core/guards/usual.ts';

/** It expires where nobody has decided; null while the rest of the run is still delivered. */
export interface HoldView extends Omit<NonNullable<z.output<typeof RunDocument>['hold']>, 'reasons'> {
  /** Of its deliveries, people in none of the groups that guards stop (`groupsToExcept`). */
  inOtherGroups: number;
  /** That its people are more than may still be invited today. */
  overDay?: string;
  reasons: Trip[];
}

const mostGroups = 5;

/** The groups that guards stop, as far as a command can name them all. */
export function groupsToExcept(reasons: HoldView['reasons']): string[] {
  const groups = groupsOf(reasons);
  return groups.length > mostGroups ? [] : groups;
}

export function groupsOf(reasons: HoldView['reasons']): string[] {
  const groups = reasons.flatMap(({ scope }) => (scope !== 'all' && 'groups' in scope ? scope.groups : []));
  return [...new Set(groups)];
}

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
