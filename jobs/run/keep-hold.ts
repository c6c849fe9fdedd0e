// Keeps an existing hold when the same roster gives the same plan again.
import type { Context } from '../../src/wiring/context.ts';
import { isSameHold } from '../../src/core/guards/trip.ts';
import type { PlannedRun } from './plan-roster.ts';

/**
 * If a run of the same source is already held, for the same reasons, with the same roster and the same plan: discards this
 * plan and returns the run that stays, whose id people were notified about. Undefined if there is none, or if part of this
 * plan would be sent.
 */
export async function keepHold(
  { ledger }: Pick<Context, 'ledger'>,
  { runId, plan, trips }: Pick<PlannedRun, 'runId' | 'plan' | 'trips'>,
  { all }: { all: boolean },
): Promise<string | undefined> {
  if (trips.length === 0) return undefined;
  const stopped = await ledger.countStopped(runId, { all, trips });
  const isAllHeld = trips.some(({ scope }) => scope === 'all') || (stopped > 0 && stopped === plan.calls);
  if (!isAllHeld) return undefined;
  const same = (await ledger.likeHolds(runId)).find((held) => isSameHold(held.trips, trips));
  if (!same) return undefined;
  await ledger.discardRun(runId);
  return same.id;
}
