// The queue of deliveries, whoever keeps it: Redis for many processes, or the memory of one, which is here.
import { endsWithin } from '../process/coalesce.ts';

/**
 * A delivery on its way through the queue. `feeds` counts how often it came back to the ledger: it makes the job's
 * id unique, and tells a job that is left over from before apart from the one that counts.
 */
export interface QueuedDelivery {
  id: number;
  feeds: number;
}

/** The queue of group inserts: one job per delivery, carrying ids and nothing about the person. The ledger owns every retry. */
export interface DeliveryQueue {
  /** Puts deliveries at the end of the queue, or at its front. One that is there already stays as it is. */
  add(deliveries: readonly QueuedDelivery[], front: boolean): Promise<void>;
  /** How many jobs wait or are being worked on. */
  size(): Promise<number>;
  /** Takes everything out; only for the one process that delivers, which then refills it from the ledger. */
  empty(): Promise<void>;
  /**
   * Starts to work: `deliver` is called for each job, `concurrency` at a time. To close it finishes the jobs under way and
   * takes no further ones; it gives up after `graceMs`.
   */
  work(
    deliver: (delivery: QueuedDelivery) => Promise<void>,
    concurrency: number,
  ): { close(graceMs: number): Promise<void> };
  close(): Promise<void>;
}

/** No `:` and not digits only: BullMQ treats those specially. */
export function jobIdOf({ id, feeds }: QueuedDelivery): string {
  return `${id}-${feeds}`;
}

/** Counts what is under way, and tells when nothing is. */
export class Tracker {
  #underWay = 0;
  #idle: (() => void)[] = [];

  async track<Result>(work: Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    try {
      return await work;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves as soon as nothing is under way. */
  idle(): Promise<void> {
    return this.#underWay === 0 ? Promise.resolve() : new Promise((resolve) => void this.#idle.push(resolve));
  }
}

/** Opens a queue in this process alone. */
export function openMemoryQueue(): DeliveryQueue {
  /** Those that wait and those under way, by their ids. */
  const jobs = new Map<string, QueuedDelivery>();
  let waiting: QueuedDelivery[] = [];
  const workers = new Set<() => void>();

  return {
    async add(deliveries, front) {
      const added = deliveries.filter((each) => !jobs.has(jobIdOf(each)));
      for (const each of added) jobs.set(jobIdOf(each), each);
      waiting = front ? [...added, ...waiting] : [...waiting, ...added];
      for (const takeJobs of workers) takeJobs();
    },
    size: async () => jobs.size,
    async empty() {
      jobs.clear();
      waiting = [];
    },
    work(deliver, concurrency) {
      const calls = new Tracker();
      let free = concurrency;
      async function carry(job: QueuedDelivery): Promise<void> {
        // One that throws is over too: what is still to be done, the ledger knows.
        await calls.track(deliver(job)).catch(() => {});
        if (jobs.get(jobIdOf(job)) === job) jobs.delete(jobIdOf(job));
        free += 1;
        if (workers.has(takeJobs)) takeJobs();
      }
      function takeJobs(): void {
        for (let job; free > 0 && (job = waiting.shift()); free -= 1) void carry(job);
      }
      workers.add(takeJobs);
      takeJobs();
      return {
        async close(graceMs) {
          workers.delete(takeJobs);
          await endsWithin(graceMs, calls.idle());
        },
      };
    },
    close: () => Promise.resolve(),
  };
}
