// What a person needs to decide about a hold.
import type { z } from 'zod';
import type { RunDocument } from '../../acts/shapes/run.ts';
import type { Trip } from '../../core/guards/trip.ts';

/** It expires where nobody has decided; null while the rest of the run is still delivered. */
export interface HoldView extends Omit<NonNullable<z.output<typeof RunDocument>['hold']>, 'reasons'> {
  /** Of its deliveries, people in none of the groups that guards stop (`groupsToExcept`). */
  inOtherGroups: number;
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
