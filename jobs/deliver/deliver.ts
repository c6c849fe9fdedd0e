// Starts and stops delivering: feeds the queue, works it off, waits for a run to end.
import type { z } from 'zod';
import type { Followed } from '../../src/acts/shapes/run.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryContext, WithLedger } from '../../src/wiring/context.ts';
import { endsWithin } from '../../src/process/coalesce.ts';
import { BusyError, LedgerBusyError } from '../../src/core/errors.ts';
import { leavesWithinMs } from '../../src/core/pace/pacing.ts';
import { reasonToStop } from '../../src/core/run/canary.ts';
import type { DeliveringRun, FedDelivery } from '../../src/ledger/moves/feed.ts';
import { holdForMs } from '../../src/core/guards/trip.ts';
import { createFeedPositions, startFeeder } from './feeder.ts';
import { announce, announceOutage, tendNotifications } from '../run/announce.ts';
import { finishRun, keepBackup } from '../run/release-plan.ts';
import { type DeliveryEvents, type Delivering, groupInsert } from './group-insert.ts';
import { InFlightLimiter } from './in-flight-limiter.ts';

export interface DeliverOptions {
  /** The only runs to feed, which may become more meanwhile; absent: every run of this service. */
  only?: ReadonlySet<string>;
  /** Calls in flight at most. */
  concurrency: number;
  events?: DeliveryEvents;
}

export type Deliverer = ReturnType<typeof startDelivering>;

/** The time between two checks for notifications that were not sent, ms. */
const tellEveryMs = 15_000;
/** The longest wait of stopping for the feeder, ms. */
const feederGraceMs = 2000;

/** Starts to deliver: feeds the queue when it is this process's turn, and works it off. */
export function startDelivering(context: DeliveryContext, { only, concurrency, events = {} }: DeliverOptions) {
  const { ledger, queue, pacer, service, shared, tempo } = context;
  const hasServers = shared || context.config.databaseUrl !== undefined;
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const succeeded = new Set<string>();
  const stopping = new AbortController();
  const limiter = new InFlightLimiter(concurrency);
  stopping.signal.addEventListener('abort', () => limiter.close());

  /** A command writes one when it ends. */
  function keepSoon(runId: string): void {
    if (!only) closing = closing.catch(() => {}).then(() => keepBackup(context, runId));
  }
  const delivering: Delivering = {
    ...context,
    events,
    limiter,
    async acceptedBefore(runId) {
      const accepted = succeeded.has(runId) ? 'run' : await ledger.acceptedBefore(runId);
      if (accepted === 'run') succeeded.add(runId);
      return accepted;
    },
    noteSuccess: (runId) => succeeded.add(runId),
    stopping: stopping.signal,
    async stopRun(runId, move, stop) {
      if (!(await ledger.moveRun(runId, move, stop))) return;
      await announce(context, runId);
      keepSoon(runId);
    },
  };
  let hasFailed = false;
  function fail(error: unknown): void {
    hasFailed = true;
    stopping.abort();
    failure.reject(error);
  }

  const positions = createFeedPositions(ledger);
  const mayBeOver = createSpentTime();
  const isRepairDue = every(tempo.repairEveryMs);
  const isThoroughDue = every(tempo.thoroughEveryMs);
  const isCorrectionDue = every(tempo.thoroughEveryMs);
  const isTellingDue = every(tellEveryMs);
  let closing = Promise.resolve();
  const feeder = startFeeder({
    leads: () => context.leads(),
    async runs() {
      const runs = await ledger.deliveringRuns(service.address, only && [...only]);
      positions.keep(runs);
      return runs;
    },
    positions,
    queue,
    pacer,
    // A busy ledger answers in the end, and servers come back; what is missing there is found and added again.
    onError: (error) =>
      shared || error instanceof LedgerBusyError || (hasServers && !(error instanceof BusyError))
        ? context.trouble('feeding the queue did not work; trying again', error)
        : fail(error),
    async tend(runs) {
      const { taken } = await ledger.reclaimFromDeadWorkers({
        worker: ledger.worker,
        timeoutMs: context.callTimeoutMs + leavesWithinMs,
        deadAfterMs: tempo.deadAfterMs,
      });
      // These go first.
      if (taken > 0) positions.forget();
      if (isRepairDue()) {
        const thorough = isThoroughDue();
        if (thorough || (await queue.size()) < (await positions.count())) positions.forget();
      }
      if (isCorrectionDue()) await ledger.correctDueTimes(runs.map(({ id }) => id));
      if (isTellingDue()) {
        for (const id of await ledger.expireHolds(holdForMs)) await announce(context, id);
        await tendNotifications(context);
        // Also whoever has called nobody yet, since others learnt that the service takes no calls.
        if ((await pacer.gateClosedFor()) >= tempo.firstProbeMs)
          for (const { id } of runs) await announceOutage(context, id);
      }
      await lookBetweenStages(
        delivering,
        runs.map(({ id }) => id),
      );
      const full = await context.checkStorage().catch((error: Error) => error.message);
      for (const run of runs) {
        const { id, deadlineMs, stands } = run;
        if (stands) await ledger.startClock(id);
        if (full) await delivering.stopRun(id, 'pause', { by: 'storage', reason: full });
        else if (await ledger.isDelivered(id)) await (closing = finishRun(context, id));
        else if (mayBeOver(run) && (await ledger.endAtDeadline(id, deadlineMs))) {
          await announce(context, id);
          keepSoon(id);
        }
      }
    },
  });
  const inHand = new Set<number>();
  /**
   * A queue that was stopped for a while (a laptop asleep), or restored from an old copy, gives a job out again
   * whose first copy is still waiting here. Both copies would be claimed under one name, and both would be called.
   */
  async function deliverOnce(fed: FedDelivery): Promise<void> {
    // A later job of it, while the first is still here: its own is found missing, and added again.
    if (inHand.has(fed.id)) return;
    inHand.add(fed.id);
    try {
      await groupInsert(delivering, fed);
    } finally {
      inHand.delete(fed.id);
      if (inHand.size === 0) feeder.idle();
    }
  }

  const worker = queue.work((fed) => deliverOnce(fed).catch(fail), limiter.jobs);
  async function stop(): Promise<void> {
    stopping.abort();
    const fed = feeder.stop();
    await worker.close(context.callTimeoutMs + tempo.graceMs);
    // It may wait for a Redis that is away; what it did not add is found missing there.
    await endsWithin(feederGraceMs, fed);
    // The backup of an embedded ledger must not be cut off; a run is finished before it is written.
    closing = Promise.allSettled([closing, finishDelivered()]).then(() => {});
    await (hasServers ? endsWithin(feederGraceMs, closing) : closing);
  }
  /** The calls that were in flight may have been the last of a run, which nobody tends any more. */
  async function finishDelivered(): Promise<void> {
    if (hasFailed) return;
    for (const { id } of await ledger.deliveringRuns(service.address, only && [...only])) {
      if (await ledger.isDelivered(id)) await finishRun(context, id);
    }
  }
  let stopped: Promise<void> | undefined;
  return {
    /** A run was released: check at once. */
    poke: feeder.poke,
    /** Rejects when the ledger or the queue fail for good: nothing more is sent then. */
    failure: failure.promise,
    /** Finishes the calls in flight, makes no further ones, and gives up after the grace period. May be called again. */
    stop: () => (stopped ??= stop()),
  };
}

/** Says at most once in so many ms that it is time. */
function every(ms: number): () => boolean {
  let last = -Infinity;
  return () => {
    const isDue = performance.now() - last > ms;
    if (isDue) last = performance.now();
    return isDue;
  };
}

/** How far a run is. */
export type RunLook = Pick<z.output<typeof Followed>, 'status' | 'inFlight' | 'outcome'>;

/** Looks how far a run is; one that a person has interrupted is paused first, unless it ends with the calls in flight. */
export async function lookAtRun({ ledger }: WithLedger, runId: string, isInterrupted: boolean): Promise<RunLook> {
  if (isInterrupted && (await ledger.hasUnsent(runId)))
    await ledger.moveRun(runId, 'pause', { by: 'interruption', reason: 'interrupted' });
  const [run] = await ledger.findRuns(runId);
  if (run === undefined) throw new Error(`run ${runId} has vanished from the ledger`);
  const outcome = await ledger.countOutcomes(runId);
  return { status: run.status, outcome, inFlight: await ledger.countInFlight(runId) };
}

/** The first two checks are at least this far apart, ms; each later wait is longer, since most runs that are short end soon. */
const firstLookMs = 25;
/** The wait that they grow to, ms; and each is ten times as long as the check took. */
const lookEveryMs = 200;

/**
 * Looks until a run no longer delivers and has no call in flight in any process, or nobody wants to look any more. An aborted
 * signal pauses it.
 */
export async function waitForRun(
  look: (isInterrupted: boolean) => Promise<RunLook | undefined>,
  signal: AbortSignal,
): Promise<void> {
  for (let waitMs = firstLookMs; ; waitMs = Math.min(lookEveryMs, 1.5 * waitMs)) {
    const began = performance.now();
    const seen = await look(signal.aborted);
    if (!seen || (seen.status !== 'delivering' && seen.inFlight === 0)) return;
    const nextMs = Math.max(waitMs, 10 * (performance.now() - began));
    // An interruption ends the wait; after it the next check comes soon.
    await (signal.aborted ? sleep(lookEveryMs / 4) : sleep(nextMs, undefined, { signal }).catch(() => {}));
  }
}

/** Checks the answers between the stages of a canary release, then opens the next stage or pauses the run. */
async function lookBetweenStages(
  { ledger, stopRun }: Pick<Delivering, 'ledger' | 'stopRun'>,
  runIds: readonly string[],
): Promise<void> {
  for (const { id, stage } of await ledger.stagesDone(runIds)) {
    const stop = reasonToStop(await ledger.stageAnswers(id));
    if (stop) await stopRun(id, 'pause', stop);
    else await ledger.openStage(id, stage + 1);
  }
}

/** The most that two clocks differ over a long time. The ledger decides; this prevents a far too early decision. */
const closeEnough = 0.99;

/**
 * Whether a run may have reached its deadline, by a clock that never jumps; the ledger's time of day may, by years. What it
 * had spent when it was first asked about is believed.
 */
function createSpentTime() {
  const firstSeen = new Map<string, { spentMs: number; at: number }>();
  return ({ id, spentMs, deadlineMs }: Pick<DeliveringRun, 'id' | 'spentMs' | 'deadlineMs'>): boolean => {
    const now = performance.now();
    const first = firstSeen.get(id) ?? { spentMs, at: now };
    firstSeen.set(id, first);
    return first.spentMs + (now - first.at) >= closeEnough * deadlineMs;
  };
}
