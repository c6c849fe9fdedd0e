import { deliveryMoves, type DeliveryState, writtenAs, runMoves } from '../../src/core/run/states.ts';

/**
 * Moves that no story makes, with the reason: only the rebuild of a ledger from a backup ends a run that was planning, before
 * any process delivers (test/cli/lost-ledger.long.test.ts).
 */
export const unreachable: readonly string[] = ['runs planning cancelled'];

/** Fewer than one of 400 stories cancels a halted run; test/cli/continue.more.test.ts does (“ends a run: …”). */
const rare = 'runs halted cancelled';

/** Every change of state that the stories can make, as the database of a story writes it down: `deliveries due done`. */
export const reachable: readonly string[] = [
  ...new Set([
    ...Object.values(deliveryMoves).flatMap(({ from, to }) =>
      (from.length === 0 ? ['-'] : from.map((one: DeliveryState) => writtenAs(one)))
        .flatMap((one) => to.map((next) => [one, next] as const))
        // What is claimed or called keeps its row as it is.
        .filter(([one, next]) => one !== next && next !== 'claimed' && next !== 'called')
        .map(([one, next]) => `deliveries ${one} ${next}`),
    ),
    ...Object.values(runMoves).flatMap(({ from, to }) =>
      (from.length === 0 ? ['-'] : from).map((one) => `runs ${one} ${to}`),
    ),
  ]),
].filter((move) => !unreachable.includes(move) && move !== rare);

/** The guards of which the ledger tells whether they had something to judge. */
const told = [
  ...['changed', 'departed', 'group', 'invites', 'new', 'newGroups', 'paused', 'rejects', 'shrink', 'time'],
] as const;

/** Every guard; of those that the ledger does not tell about, the oracle does. */
export const guards = [
  ...told,
  ...['brought', 'domains', 'everybody', 'fill', 'maxInvitations', 'removals', 'wrongFile'],
] as const;

/** A plan, and the guards that stopped some of it. */
export interface JudgedPlan {
  tripped: string[];
  counts: Record<string, number>;
  /** Rows that were rejected. */
  rejects: number;
  isFirst: boolean;
}

/** The guards that had something to judge in a plan, and let it pass, as far as the ledger tells. */
export function passedIn({ tripped, counts, rejects, isFirst }: JudgedPlan): string[] {
  const figures: Record<string, number | undefined> = { ...counts, invites: counts['new'], rejects };
  return told.filter((guard) => !isFirst && !tripped.includes(guard) && figures[guard] !== 0);
}
