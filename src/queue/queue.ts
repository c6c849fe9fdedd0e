// Opens the queue of deliveries.
import type { JobsOptions } from 'bullmq';
import { tempo, type Tempo } from '../core/pace/waiting-times.ts';
import { closeWorker, openBull, type QueueHome, Tracker } from './bull.ts';

/**
 * A delivery on its way through the queue. `feeds` counts how often it came back to the ledger: it makes the job's
 * id unique, and tells a job that is left over from before apart from the one that counts.
 */
export interface QueuedDelivery {
  id: number;
  feeds: number;
}

/** The queue of group inserts: one job per delivery, carrying ids and nothing about the person. */
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

const name = 'group-insert';

/**
 * Each attempt is one job that BullMQ carries once: the ledger owns every retry. What is kept short here is kept
 * short in Redis, once per waiting job.
 */
const jobOptions: JobsOptions = { attempts: 1 };
/** In SQL nothing is saved by short options, and to remove one job by its id is cheaper than to keep none of all. */
const jobOptionsInSql: JobsOptions = { ...jobOptions, removeOnComplete: true, removeOnFail: true };

/** Opens the queue. `onError` gets connection errors, which the queue itself survives. */
export async function openQueue(
  home: QueueHome,
  onError: (error: Error) => void,
  given: Tempo = tempo,
): Promise<DeliveryQueue> {
  const { queue, work, close } = await openBull<QueuedDelivery>(home, name, { onError, tempo: given });
  const lasting = 'redisUrl' in home ? jobOptions : jobOptionsInSql;
  return {
    async add(deliveries, front) {
      const opts = front ? { ...lasting, lifo: true } : lasting;
      await queue.addBulk(
        deliveries.map(({ id, feeds }) => {
          const data = { id, feeds };
          return { name, data, opts: { ...opts, jobId: jobIdOf(data) } };
        }),
      );
    },
    async size() {
      const { wait = 0, active = 0, prioritized = 0 } = await queue.getJobCounts('wait', 'active', 'prioritized');
      return wait + active + prioritized;
    },
    empty: () => queue.obliterate({ force: true }),
    work(deliver, concurrency) {
      const calls = new Tracker();
      const worker = work(({ data }) => calls.track(deliver(data)), concurrency);
      return { close: (graceMs) => closeWorker(worker, calls, graceMs) };
    },
    close,
  };
}

/** No `:` and not digits only: BullMQ treats those specially. */
function jobIdOf({ id, feeds }: QueuedDelivery): string {
  return `${id}-${feeds}`;
}
