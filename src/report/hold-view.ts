import type { Trip } from '../core/guards/trip.ts';

/** What a person needs to decide about a run of which something is held. */
export interface HoldView {
  /** How many deliveries wait. */
  deliveries: number;
  /** Why, a guard each. */
  reasons: Trip[];
  /** The hash of the plan that an approval is bound to. */
  hash: string;
  /** ISO 8601; nobody having decided, it is cancelled then. Null while the rest of the run is still delivered. */
  expiresAt: string | null;
}

/** What can be done about a hold, a command each, with what it does. */
export function holdCommands(
  run: string,
  { deliveries, reasons }: Pick<HoldView, 'deliveries' | 'reasons'>,
): { command: string; does: string }[] {
  if (deliveries === 0) {
    return [
      { command: `roster-sync approve ${run}`, does: 'sends nobody; later rosters are compared with this one' },
      { command: `roster-sync cancel ${run}`, does: 'leaves everything as it is' },
    ];
  }
  const scopes = reasons.map(({ scope }) => scope).filter((scope) => scope !== 'all');
  const actions = [...new Set(scopes.flatMap((scope) => ('actions' in scope ? scope.actions : [])))];
  const groups = [...new Set(scopes.flatMap((scope) => ('groups' in scope ? scope.groups : [])))];
  const approve = `roster-sync approve ${run}`;
  const parts =
    actions.length > 0 && (actions.length > 1 || groups.length > 0)
      ? actions.map((action) => ({ command: `${approve} --only ${action}`, does: `sends those that are ${action}` }))
      : [];
  const rest =
    groups.length > 0 && groups.length <= mostGroups
      ? [
          {
            command: groups.reduce((line, group) => `${line} --except-group ${quoted(group)}`, approve),
            does: 'sends who is in none of these groups',
          },
        ]
      : [];
  return [
    { command: approve, does: 'sends what is held' },
    ...parts,
    ...rest,
    { command: `roster-sync cancel ${run}`, does: 'sends none of it' },
  ];
}

/** With more groups than this a command would be too long to read. */
const mostGroups = 5;

/** A word of a command, as shells take it. */
function quoted(word: string): string {
  return /^[\p{L}\p{N}._-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
