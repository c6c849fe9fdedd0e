// The queue of deliveries in Redis, with BullMQ, for any number of processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, type IQueueBackend, type Job, Queue, Worker } from 'bullmq';
import { endsWithin } from '../process/coalesce.ts';
import type { Tempo } from '../core/pace/waiting-times.ts';
import { type DeliveryQueue, jobIdOf, type QueuedDelivery, Tracker } from './queue.ts';
import { connectionOptions, longestBlockMs } from './redis.ts';
import type { Secret } from '../core/secrets/secret.ts';

export interface BullQueueOptions {
  redisUrl: Secret;
  prefix: string;
  /** Whose queue it is: a short name of the service. */
  service: string;
  /** Gets connection errors, which the queue itself survives. */
  onError(error: Error): void;
  tempo: Tempo;
}

const name = 'group-insert';
/** A job that stalled is given out again however often: the ledger decides whether it is still wanted. */
const maxStalledCount = 1_000_000;
/** The longest wait of closing for a Redis that is away. */
const closeGraceMs = 2000;

/** Opens the queue. What is kept short here is kept short in Redis, once per waiting job: each is carried once. */
export function openBullQueue({ redisUrl, prefix, service, onError, tempo }: BullQueueOptions): DeliveryQueue {
  const queueName = `${name}-${service}`;
  const options = { connection: connectionOptions(redisUrl, tempo) as ConnectionOptions, prefix };
  const queue = new Queue<QueuedDelivery, void, string, QueuedDelivery, void, string>(queueName, options);
  queue.on('error', onError);
  return {
    async add(deliveries, front) {
      const opts = { attempts: 1, ...(front && { lifo: true }) };
      await queue.addBulk(
        deliveries.map(({ id, feeds }) => ({
          ...{ name, data: { id, feeds } },
          opts: { ...opts, jobId: jobIdOf({ id, feeds }) },
        })),
      );
    },
    async size() {
      const { wait = 0, active = 0, prioritized = 0 } = await queue.getJobCounts('wait', 'active', 'prioritized');
      return wait + active + prioritized;
    },
    empty: () => queue.obliterate({ force: true }),
    work(deliver, concurrency) {
      const calls = new Tracker();
      const worker = new PatientWorker(queueName, ({ data }) => calls.track(deliver(data)), {
        ...options,
        concurrency,
        lockDuration: tempo.jobLockMs,
        stalledInterval: tempo.stalledEveryMs,
        drainDelay: longestBlockMs(tempo) / 1000,
        maxStalledCount,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      });
      worker.on('error', onError);
      return { close: (graceMs) => closeWorker(worker, calls, graceMs) };
    },
    async close() {
      if (!(await endsWithin(closeGraceMs, queue.close()))) await cutOff(queue.getBackend());
    },
  };
}

/** Between two tries to get a job from a queue that refuses to give one, ms: soon at first, then every five seconds. */
const firstTryMs = 100;
const lastTryMs = 5000;

/**
 * A worker that waits between two tries to get a job. BullMQ's own tries again at once when Redis refuses (it is out of
 * memory, or a replica), thousands of times a second.
 */
class PatientWorker extends Worker<QueuedDelivery, void> {
  readonly #ending = new AbortController();
  #waitMs = firstTryMs;

  protected override async moveToActive(token: string, as?: string): Promise<Job<QueuedDelivery, void>> {
    try {
      const job = await super.moveToActive(token, as);
      this.#waitMs = firstTryMs;
      return job;
    } catch (error) {
      const waitMs = this.#waitMs;
      this.#waitMs = Math.min(lastTryMs, 2 * waitMs);
      // It rejects for nothing but the end.
      await sleep(waitMs, undefined, { signal: this.#ending.signal }).catch(() => {});
      throw error;
    }
  }

  override pause(doNotWaitActive?: boolean): Promise<void> {
    this.#ending.abort();
    return super.pause(doNotWaitActive);
  }

  override close(force?: boolean): Promise<void> {
    this.#ending.abort();
    return super.close(force);
  }
}

/**
 * Lets a worker finish its jobs, within a time. BullMQ's `close()` waits without limit, for ever while
 * Redis is away, and cannot be forced once it was begun: so the worker pauses first, and is then closed by force unless
 * all of its jobs have ended in the queue too.
 */
async function closeWorker(worker: PatientWorker, calls: Tracker, graceMs: number): Promise<void> {
  const paused = worker.pause();
  await endsWithin(graceMs, Promise.race([paused, calls.idle()]));
  const clean = await endsWithin(closeGraceMs, paused);
  const cut = (): Promise<void> => cutOff(worker.getBackend());
  if (!(await endsWithin(closeGraceMs, worker.close(!clean)))) await cut();
  // Pausing ends once the connection is back, however late that is.
  if (!clean) void paused.then(cut, cut);
}

/** Breaks connections off: BullMQ asks Redis to end them, and one that is silent never does, nor lets the process end. */
async function cutOff(backend: IQueueBackend): Promise<void> {
  await endsWithin(closeGraceMs, Promise.all([backend.disconnect(), backend.disconnectBlocking(false)]));
}
