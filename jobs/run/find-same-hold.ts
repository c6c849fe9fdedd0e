// Finds the hold that a plan would only repeat.
import type { Context } from '../../src/wiring/context.ts';
import { isSameHold } from '../../src/core/guards/hold.ts';
import type { PlannedRun } from './plan-roster.ts';

/**
 * A run of the same source that is already held, for the same reasons, with the same roster and the same plan: people were
 * notified about its id. Undefined if there is none, or if part of this plan would be sent.
 * @param stopped how many deliveries of this plan guards stop
 */
export async function findSameHold(
  { ledger }: Pick<Context, 'ledger'>,
  { runId, plan, trips }: Pick<PlannedRun, 'runId' | 'plan' | 'trips'>,
  stopped: number,
): Promise<string | undefined> {
  const isAllHeld = trips.some(({ scope }) => scope === 'all') || (stopped > 0 && stopped === plan.calls);
  if (!isAllHeld) return undefined;
  return (await ledger.likeHolds(runId)).find((held) => isSameHold(held.trips, trips))?.id;
}
