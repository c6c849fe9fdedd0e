// Moves due deliveries from the ledger to the queue, keeping at most a few thousand there.
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { DeliveringRun, DueDelivery, FeedPosition } from '../../src/ledger/moves/feed.ts';
import type { QueuedDelivery, DeliveryQueue } from '../../src/queue/queue.ts';
import type { Pacer } from '../../src/queue/pacer.ts';
import { createAlarm } from '../../src/process/coalesce.ts';

/** A run whose deliveries are due; an urgent one goes first, within bounds. */
export type FeedableRun = Pick<DeliveringRun, 'id' | 'urgent'>;

/** A delivery on its way into the queue; one whose call may have happened already goes to the front. */
export type TakenDelivery = QueuedDelivery & { repeated: boolean };

export interface FeederParts<Run extends FeedableRun> {
  /** Whether this process is the one that feeds; over all processes only one is. */
  leads(): Promise<boolean>;
  /** Runs that are delivering, in the order in which they take turns. */
  runs(): Promise<Run[]>;
  /** Gives the next deliveries of a run that are due; starts again once they could not be put into the queue. */
  positions: { take(runId: string, limit: number): Promise<TakenDelivery[]> } & Pick<FeedPositions, 'forget'>;
  queue: Pick<DeliveryQueue, 'add' | 'size'>;
  /** Little is fed while nobody may call the service, and not more than can be called: it would make later runs wait. */
  pacer: Pick<Pacer, 'gateClosedFor' | 'callsIn'>;
  /** Looks after everything else that one process must: dead workers, a queue that lost jobs, runs that are done. */
  tend(runs: readonly Run[]): Promise<void>;
  onError(error: unknown): void;
}

/** The limits of every process; a bench lifts the first. */
export const feederLimits = {
  /** The most jobs in the queue: it stays small whatever the roster, and pause and cancel act at once. */
  mostJobs: 2000,
  /** Between two checks while something is delivered, ms. */
  busyMs: 100,
  /** Between two checks while nothing is, ms. */
  idleMs: 1000,
  /** Between two rounds of tending, ms. */
  tendMs: 500,
};

/** Between two checks that failed, ms, at most: each waits twice as long as the one before. */
const longestPauseMs = 5000;
/** If nobody may call for this time, ms, nothing is fed: it would be handed back at once, again and again. */
const longHoldMs = 2000;
/** The queue holds the calls of this time, ms: a run that is released later has its turn by then. */
const aheadMs = 10_000;
/** But at least this number of jobs, so that no worker waits for the feeder. */
const leastJobs = 50;
/** Chunks of 250 to 1000 are best for `addBulk`. */
const chunk = 500;
/** Urgent runs may fill at most this share of the room, so that they cannot starve the others. */
const urgentShare = 0.5;

/** Feeds the queue until it is stopped: due deliveries go in, a chunk of each run in turn, as long as there is room. */
export function startFeeder<Run extends FeedableRun>(
  { leads, runs: runsToFeed, positions, queue, pacer, tend, onError }: FeederParts<Run>,
  limits = feederLimits,
) {
  let stopped = false;
  const alarm = createAlarm();
  let tended = -Infinity;
  let isIdle = false;

  async function tendNow(runs: readonly Run[]): Promise<void> {
    await tend(runs);
    tended = performance.now();
  }

  /** One round: feeds what there is room for. Returns the wait until the next one, ms. */
  async function round(): Promise<number> {
    if (!(await leads())) {
      positions.forget();
      return limits.idleMs;
    }
    const runs = await runsToFeed();
    if (performance.now() - tended >= limits.tendMs) await tendNow(runs);
    if (runs.length === 0) return limits.idleMs;
    const heldMs = await pacer.gateClosedFor();
    if (heldMs > longHoldMs) return Math.min(limits.idleMs, heldMs);
    // While everyone is held, one delivery is enough to find out when that ends.
    const held = heldMs > 0;
    const wanted = Math.min(limits.mostJobs, Math.max(leastJobs, pacer.callsIn(aheadMs)));
    const room = (held ? 1 : wanted) - (await queue.size());
    if (room <= 0) return limits.busyMs;
    // A few jobs cost as much as a chunk, so a well-filled queue takes only urgent ones.
    const worthwhile = Math.min(chunk, wanted / 4);
    const wasIdle = isIdle;
    isIdle = false;
    const urgent = runs.filter((run) => run.urgent);
    const others = held || room >= worthwhile ? runs.filter((run) => !run.urgent) : [];
    const first = await feedInTurn(urgent, others.length > 0 ? Math.ceil(room * urgentShare) : room);
    const fed = first + (await feedInTurn(others, room - first));
    // Most likely the last call of a run has ended: whoever waits for the run learns it now.
    if (wasIdle && fed === 0) await tendNow(runs);
    return fed >= worthwhile ? 0 : limits.busyMs;
  }

  /** A chunk of each run in turn, until the room is full or nothing is due; the next is taken while one is queued. */
  async function feedInTurn(runs: readonly FeedableRun[], room: number): Promise<number> {
    let fed = 0;
    let withMore = runs;
    let adding = Promise.resolve();
    try {
      while (withMore.length > 0 && fed < room && !stopped) {
        const next: FeedableRun[] = [];
        for (const run of withMore) {
          const limit = Math.min(chunk, room - fed, Math.ceil(room / runs.length));
          if (limit <= 0) break;
          const taken = await positions.take(run.id, limit);
          await adding;
          adding = add(taken, run.urgent);
          // Its failure is handled when it is awaited; until then this keeps it from being unhandled.
          adding.catch(() => {});
          fed += taken.length;
          if (taken.length === limit) next.push(run);
        }
        withMore = next;
      }
    } finally {
      await adding;
    }
    return fed;
  }

  async function add(taken: readonly TakenDelivery[], urgent: boolean): Promise<void> {
    const isFirst = ({ repeated }: TakenDelivery): boolean => urgent || repeated;
    const [front, back] = [taken.filter(isFirst), taken.filter((delivery) => !isFirst(delivery))];
    try {
      if (back.length > 0) await queue.add(back, false);
      if (front.length > 0) await queue.add(front, true);
    } catch (error) {
      positions.forget();
      throw error;
    }
  }

  async function loop(): Promise<void> {
    let pauseMs = limits.idleMs;
    while (!stopped) {
      let wait = pauseMs;
      try {
        wait = await round();
        pauseMs = limits.idleMs;
      } catch (error) {
        pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
        onError(error);
      }
      if (wait > 0 && !stopped) await alarm.sleep(wait);
    }
  }

  const ended = loop();
  return {
    /** Something has become due: check at once. */
    poke: alarm.wake,
    /** This process has no delivery in hand any more: where nothing is left to feed either, tend at once. */
    idle() {
      isIdle = true;
      alarm.wake();
    },
    async stop() {
      stopped = true;
      alarm.wake();
      await ended;
    },
  };
}

/**
 * Remembers how far each run was fed, in this process alone. To forget it is always safe: then feeding starts with the
 * first that is due, what has a job or is in somebody's hands is not put into the queue twice, and what is missing there
 * is found.
 */
export function createFeedPositions(ledger: Pick<Ledger, 'findDue' | 'countFed'>) {
  let fedRuns = new Map<string, { turn: string; last?: FeedPosition | undefined }>();
  return {
    /** The next deliveries of a run, at most this many. */
    async take(runId: string, limit: number): Promise<DueDelivery[]> {
      const fed = fedRuns.get(runId);
      const due = await ledger.findDue(runId, { after: fed?.last, limit });
      if (fed) fed.last = due.findLast(({ position }) => position !== null)?.position ?? fed.last;
      return due;
    },
    /** These are the runs that deliver. One that stopped meanwhile starts again: its jobs may be gone. */
    keep(runs: readonly DeliveringRun[]): void {
      const before = fedRuns;
      fedRuns = new Map(
        runs.map(({ id, turn }) => {
          const fed = before.get(id);
          return [id, fed?.turn === turn ? fed : { turn }];
        }),
      );
    },
    /** How many jobs at least must be in the queue. */
    async count(): Promise<number> {
      let count = 0;
      for (const [id, fed] of fedRuns) count += await ledger.countFed(id, fed.last);
      return count;
    },
    /** Starts every run again. */
    forget(): void {
      for (const [id, { turn }] of fedRuns) fedRuns.set(id, { turn });
    },
  };
}

type FeedPositions = ReturnType<typeof createFeedPositions>;
