import type { Context } from '../src/context.ts';
import { heldReason } from '../src/core/trip.ts';
import { announce, type Announcing } from './announce.ts';
import { tidyAfterRun } from './prune-ledger.ts';

/**
 * Closes a run in which nothing is left to do but what is held, and what it has overtaken, backs up what everybody was given, and tells of it.
 */
export async function finishRun(
  context: Announcing & Pick<Context, 'backup' | 'config'>,
  runId: string,
): Promise<void> {
  const { ledger, backup } = context;
  await ledger.supersedeOlder(runId);
  const { partial = 0, failed = 0, unknown = 0 } = await ledger.countOutcomes(runId);
  const held = await ledger.countHeld(runId);
  const ended = partial + failed + unknown > 0 ? 'finished-with-failures' : 'finished';
  // What guards stopped is decided by a person, however the rest of the run went.
  const moved =
    held > 0
      ? await ledger.moveRun(runId, ['delivering'], 'held', { by: 'guard', reason: heldReason(held) })
      : await ledger.moveRun(runId, ['delivering'], ended);
  if (!moved) return;
  await announce(context, runId);
  await backup();
  await tidyAfterRun(context);
}
