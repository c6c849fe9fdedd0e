// The queue of deliveries, whoever keeps it: Redis for many processes, or the memory of one.

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
  /** Starts to work: `deliver` is called for each job, `concurrency` at a time. */
  work(deliver: (delivery: QueuedDelivery) => Promise<void>, concurrency: number): DeliveryWorker;
  close(): Promise<void>;
}

/** The running half of the queue. */
export interface DeliveryWorker {
  /** Finishes the jobs under way, takes no further ones; gives up after `graceMs`. */
  close(graceMs: number): Promise<void>;
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
