import type { DeliveryContext } from '../src/context.ts';
import type { Rate } from '../src/core/pacing.ts';
import type { Stop } from '../src/core/run.ts';
import type { Delivering, DeliveryEvents } from './delivering.ts';
import { finishRun } from './finish-run.ts';
import { groupInsert } from './group-insert.ts';

/** How a run is to be delivered; rate and concurrency are the process's own, the rest was stored with the run. */
export interface DeliverOptions {
  runId: string;
  rate: Rate;
  concurrency: number;
  events: DeliveryEvents;
  /** Aborted by a person: finish the calls in flight and leave the run paused. */
  signal: AbortSignal;
}

/**
 * Delivers a released run to its end, its pause or its halt: feeds the queue from the ledger and works it off.
 * Resolves once no call is in flight any more; the run's state in the ledger says how it went.
 */
export async function deliverRun(context: DeliveryContext, options: DeliverOptions): Promise<void> {
  const { ledger, queue } = context;
  const { runId, rate, events, signal } = options;
  const [run] = await ledger.findRuns(runId);
  if (run === undefined) throw new Error(`run ${runId} is not in the ledger`);
  const longestWindow = Math.max(rate.perMs, ...rate.and.map(({ perMs }) => perMs));
  const mostCalls = Math.max(rate.limit, ...rate.and.map(({ limit }) => limit));
  const pacer = context.createPacer(rate, await ledger.recentCalls(run.service, longestWindow, mostCalls));

  let succeeded = await ledger.hasSucceeded(runId);
  let stopping = false;
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});

  async function stop(status: 'paused' | 'halted', stop: Stop): Promise<void> {
    if (stopping) return;
    stopping = true;
    await ledger.moveRun(runId, ['delivering'], status, stop);
    feeder.stop();
  }
  const delivering: Delivering = {
    ...context,
    pacer,
    events: {
      ...events,
      answered(answer, decision) {
        succeeded ||= answer.kind === 'accepted';
        events.answered(answer, decision);
      },
    },
    succeededBefore: () => succeeded,
    stopping: () => stopping,
    stop,
  };

  const worker = queue.work(async (id) => {
    try {
      await groupInsert(delivering, id);
    } catch (error) {
      // Without the ledger nothing more may be sent; what is open is taken back at the next start.
      stopping = true;
      failure.reject(error);
    }
  }, options.concurrency);
  const feeder = queue.feed({
    take: (limit) => ledger.takeDue(runId, limit),
    remaining: () => ledger.backlogOf(runId),
    heldFor: () => pacer.heldFor(),
    async check() {
      await context.checkStorage().catch((error: Error) => stop('paused', { by: 'storage', reason: error.message }));
      if (await ledger.endAtDeadline(runId, run.settings.deadlineMs)) feeder.stop();
    },
  });
  const onAbort = (): void => void stop('paused', { by: 'interruption', reason: 'interrupted' }).catch(failure.reject);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.race([feeder.done, failure.promise]);
  } finally {
    stopping = true;
    feeder.stop();
    signal.removeEventListener('abort', onAbort);
    await worker.close(context.callTimeoutMs + graceMs);
  }
  await finishRun(context, runId);
}

/** How much longer than one call's deadline the end may take, in ms: writing the last receipts. */
const graceMs = 10_000;
