// Releases a plan, or holds what guards stop; closes the run when nothing is left.
import { saysLeft } from '../../src/core/webhooks/event.ts';
import { settleWebhook } from '../../src/core/webhooks/webhook.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import { configured } from '../../src/roster/configured-source.ts';
import type { Configured, PlanningContext, WithLedger } from '../../src/wiring/context.ts';
import { announce, type Announcing } from './announce.ts';
import type { PlannedRun } from './planning-run.ts';
import { tidyAfterRun } from '../upkeep/prune-ledger.ts';

export interface ReleaseRequest {
  /** Send the unchanged too. */
  all: boolean;
  /** Who said yes to the plan; of a source's first run it is recorded as an approval. */
  approvedBy?: string;
  /** With care, where the run is large enough; unless said, as `delivery.canary` has it. */
  canary?: boolean;
}

/** What happened to a planned run. */
export type Release = 'released' | 'held' | 'nothing';

/**
 * Releases a planned run, or what of it no guard stops; without a terminal, for whatever started it. Of a run that is
 * `released` deliveries are due; one that is `held` waits for an approval; one with `nothing` to do has finished.
 * A run of which only a part is held is released, and held once the rest of it is delivered.
 */
export async function releaseOrHold(
  context: PlanningContext,
  planned: Pick<PlannedRun, 'runId' | 'plan' | 'trips'>,
  { all, approvedBy, canary = context.config.delivery.canary }: ReleaseRequest,
): Promise<Release> {
  const { ledger } = context;
  const { runId, plan, trips } = planned;
  // A yes to the plan does not answer a guard: what it holds waits for its own approval.
  if (approvedBy !== undefined && trips.length === 0) await recordFirstYes(context, planned, approvedBy);
  const [planning] = await ledger.findRuns(runId);
  // An event may come until it is released.
  const none = planning && configured(context.config, planning.source)?.webhook ? [] : undefined;
  const leaving = (planning && (await leavingKinds(context, planning))) ?? none;
  const { due, held, closed } = await ledger.releaseRun(runId, all, trips, { canary, leaving });
  for (const id of closed) await announce(context, id);
  const [run] = await ledger.findRuns(runId);
  if (held > 0 || run?.status === 'held') await announce(context, runId);
  if (run?.status === 'held') return 'held';
  if (due > 0 || held > 0 || plan.calls > 0) return 'released';
  await finishRun(context, runId);
  return 'nothing';
}

/** A yes to the first roster of a source says what is usual; later runs are compared with it. */
async function recordFirstYes(
  { ledger }: WithLedger,
  { runId, plan }: Pick<PlannedRun, 'runId' | 'plan'>,
  by: string,
): Promise<void> {
  const [run] = await ledger.findRuns(runId);
  if (!run || (await ledger.historyOf(run)).last) return;
  await ledger.recordApproval(runId, { by, note: "yes to the source's first run", hash: plan.hash ?? '', scope: {} });
}

/** Nothing is left to do in the run except what is held. The runs that it has overtaken are closed too. */
export async function finishRun(
  context: Announcing & Pick<PlanningContext, 'backup' | 'config'>,
  runId: string,
): Promise<void> {
  const { ledger } = context;
  await ledger.supersedeOlder(runId);
  if (!(await ledger.closeRun(runId))) return;
  await announce(context, runId);
  await keepBackup(context, runId);
  await tidyAfterRun(context);
}

/** Once a run ends or stops, what it has given is known nowhere else. It must not end what else this process does. */
export async function keepBackup(
  { backup, log }: Pick<PlanningContext, 'backup' | 'log'>,
  runId: string,
): Promise<void> {
  await backup().catch(({ message }: Error) =>
    log.error({ run: runId, cause: message }, 'the backup could not be written'),
  );
}

/** The kinds of the events since the time of the roster of a run that say that somebody leaves, or does not come; undefined where none came. */
export async function leavingKinds(
  { ledger, config }: Configured,
  { source, roster }: { source: string; roster: Pick<NonNullable<Run['roster']>, 'time'> | null },
): Promise<string[] | undefined> {
  const webhook = configured(config, source)?.webhook;
  if (webhook === undefined || roster === null) return undefined;
  const since = await ledger.eventKindsSince({ source, time: roster.time });
  const { kinds } = settleWebhook(webhook);
  return since.length === 0 ? undefined : since.filter((kind) => saysLeft(kind, kinds));
}
