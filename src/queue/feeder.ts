/** A delivery on its way into the queue; `feeds` makes the job's id unique for each time it is put there. */
export interface QueuedDelivery {
  id: number;
  feeds: number;
}

/** What is left to do, as the ledger counts it. */
export interface Remaining {
  due: number;
  queued: number;
  claimed: number;
  /** Until the next one is due, in ms; null when none is. */
  waitMs: number | null;
}

/** What the feeder needs of its surroundings. */
export interface FeederParts {
  /** Marks up to so many due deliveries as queued, and returns them. */
  take(limit: number): Promise<QueuedDelivery[]>;
  remaining(): Promise<Remaining>;
  /** How long, in ms, nobody may call the service; little is fed meanwhile. */
  heldFor(): number;
  /** Called before each round; throws to stop feeding (a full disk, a deadline). */
  check(): Promise<void>;
}

/** Feeds the queue from the ledger. */
export interface Feeder {
  /** Resolves when nothing is left to do or `stop` was called; rejects when a part failed. */
  readonly done: Promise<void>;
  /** A job has ended: there is room for another. */
  settled(): void;
  stop(): void;
}

/** At most so many jobs in the queue: it stays small whatever the roster, and pause and cancel act at once. */
const highWater = 2000;
/** Chunks of 250 to 1000 are best for `addBulk`. */
const chunk = 500;
/** Looks again at least this often, in ms: retries become due, runs are paused. */
const longestNap = 500;

/** Starts to feed: due deliveries go into the queue, a chunk at a time, as long as there is room. */
export function startFeeder(parts: FeederParts, add: (deliveries: readonly QueuedDelivery[]) => Promise<void>): Feeder {
  let inQueue = 0;
  let wakeAt = 0;
  let stopped = false;
  let wake: () => void = () => {};

  function nap(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await parts.check();
      const held = parts.heldFor();
      // While everyone is held, one delivery is enough to find out when that ends.
      const room = Math.min(chunk, (held > 0 ? 1 : highWater) - inQueue);
      const taken = room > 0 ? await parts.take(room) : [];
      if (taken.length > 0) {
        inQueue += taken.length;
        await add(taken);
      } else if (inQueue > 0) {
        wakeAt = room > 0 ? 0 : highWater - chunk;
        await nap(longestNap);
      } else {
        const { due, queued, claimed, waitMs } = await parts.remaining();
        if (due + queued + claimed === 0) return;
        await nap(Math.min(longestNap, Math.max(held, waitMs ?? 100, 10)));
      }
    }
  }

  return {
    done: run(),
    settled() {
      inQueue -= 1;
      if (inQueue <= wakeAt) wake();
    },
    stop() {
      stopped = true;
      wake();
    },
  };
}
