// What a person needs to decide about a hold, and the commands for it.
import type { z } from 'zod';
import type { RunDocument } from '../../acts/shapes/run.ts';
import type { Trip } from '../../core/guards/trip.ts';

/** It expires where nobody has decided; null while the rest of the run is still delivered. */
export interface HoldView extends NonNullable<z.output<typeof RunDocument>['hold']> {
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

function groupsOf(reasons: HoldView['reasons']): string[] {
  const groups = reasons.flatMap(({ scope }) => (scope !== 'all' && 'groups' in scope ? scope.groups : []));
  return [...new Set(groups)];
}

/** What can be done about a hold, a command each, with what it does. */
export function holdCommands(
  run: string,
  { deliveries, inOtherGroups, reasons }: Pick<HoldView, 'deliveries' | 'inOtherGroups' | 'reasons'>,
): { command: string; does: string }[] {
  const [approve, cancel] = [`roster-sync approve ${run}`, `roster-sync cancel ${run}`];
  if (deliveries === 0) {
    return [
      { command: approve, does: 'sends nobody; later rosters are compared with this one' },
      { command: cancel, does: 'leaves everything as it is' },
    ];
  }
  const scopes = reasons.map(({ scope }) => scope).filter((scope) => scope !== 'all');
  const actions = [...new Set(scopes.flatMap((scope) => ('actions' in scope ? scope.actions : [])))];
  const groups = groupsOf(reasons);
  const isSeveral = actions.length > 1 || groups.length > 0;
  const others = [approve, ...groups.map((group) => `--except-group ${quoted(group)}`)].join(' ');
  return [
    { command: approve, does: 'sends what is held' },
    ...(isSeveral ? actions : []).map((action) => {
      return { command: `${approve} --only ${action}`, does: `sends those that are ${action}` };
    }),
    ...(inOtherGroups > 0 ? [{ command: others, does: 'sends the people who are in none of these groups' }] : []),
    { command: cancel, does: 'sends none of it' },
  ];
}

/** A word of a command, as shells take it. */
function quoted(word: string): string {
  return /^[\p{L}\p{N}._-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
