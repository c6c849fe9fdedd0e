import type { Context } from '../src/context.ts';
import type { PlannedRun } from './sync-roster.ts';

/** How a planned run is to be released. */
export interface ReleaseRequest {
  /** Send the unchanged too. */
  all: boolean;
}

/** What became of a planned run. */
export type Release = 'released' | 'held' | 'nothing';

/**
 * Releases a planned run, or what of it no guard stops; without a terminal, for whatever started it. Of a run that is
 * `released` deliveries are due; one that is `held` waits for an approval; with `nothing` to do nobody is to be sent.
 */
export async function releaseOrHold(
  context: Context,
  planned: Pick<PlannedRun, 'runId' | 'plan' | 'trips'>,
  { all }: ReleaseRequest,
): Promise<Release> {
  const { runId, plan } = planned;
  await context.ledger.releaseRun(runId, all);
  await closeOvertaken(context, runId);
  return plan.calls === 0 ? 'nothing' : 'released';
}

/** What a newer roster has overtaken completely is over. */
async function closeOvertaken({ ledger }: Context, runId: string): Promise<void> {
  for (const run of await ledger.unfinishedRuns()) {
    if (run.id === runId || run.status === 'delivering') continue;
    if (!(await ledger.isDelivered(run.id))) continue;
    await ledger.moveRun(run.id, ['paused', 'halted'], 'cancelled', {
      by: 'service',
      reason: `replaced by run ${runId}`,
    });
  }
}
