// Opens the BullMQ queue, on the ledger's database or on Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackendFactory, createPostgresBackend, type IQueueBackend, type JobsOptions, Queue } from 'bullmq';
import type { Pool } from 'pg';
import { tempo, type Tempo } from '../core/pace/waiting-times.ts';
import { PatientWorker } from './patient-worker.ts';
import { prepareQueue } from './prepare-queue.ts';
import { connectionOptions, longestBlockMs, type RedisUrl } from './redis.ts';

/**
 * A delivery on its way through the queue. `feeds` counts how often it came back to the ledger: it makes the job's
 * id unique, and tells a job that is left over from before apart from the one that counts.
 */
export interface QueuedDelivery {
  id: number;
  feeds: number;
}

/** Whose queue it is (a short name of the service), and where it lives: in the ledger's own database, or in Redis. */
export type QueueHome = { service: string } & ({ pool: Pool } | { redisUrl: RedisUrl; prefix: string });

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

/** A job that stalled is given out again however often: the ledger decides whether it is still wanted. */
const maxStalledCount = 1_000_000;
/** The longest wait of closing for a Redis that is away. */
const closeGraceMs = 2000;

/** Opens the queue. `onError` gets connection errors, which the queue itself survives. */
export async function openQueue(
  home: QueueHome,
  onError: (error: Error) => void,
  given: Tempo = tempo,
): Promise<DeliveryQueue> {
  const queueName = `${name}-${home.service}`;
  const parts = { onError, tempo: given };
  if ('redisUrl' in home) {
    const connection = connectionOptions(home.redisUrl, given);
    return over(queueName, { connection, prefix: home.prefix }, undefined, parts);
  }
  await prepareQueue(home.pool);
  const factory = createPostgresBackend as unknown as BackendFactory<IQueueBackend, unknown>;
  return over(queueName, { connection: home.pool }, factory, parts);
}

function over(
  queueName: string,
  options: { connection: unknown; prefix?: string },
  factory: BackendFactory<IQueueBackend, unknown> | undefined,
  { onError, tempo: given }: { onError: (error: Error) => void; tempo: Tempo },
): DeliveryQueue {
  const AnyQueue = Queue<QueuedDelivery, void, string, QueuedDelivery, void, string, IQueueBackend, unknown>;
  const queue = factory === undefined ? new AnyQueue(queueName, options) : new AnyQueue(queueName, options, factory);
  queue.on('error', onError);
  const lasting = factory === undefined ? jobOptions : jobOptionsInSql;
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
      const workerOptions = {
        ...options,
        concurrency,
        lockDuration: given.jobLockMs,
        stalledInterval: given.stalledEveryMs,
        drainDelay: longestBlockMs(given) / 1000,
        maxStalledCount,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      };
      const calls = new Tracker();
      const process = (job: { data: QueuedDelivery }): Promise<void> => calls.track(deliver(job.data));
      const worker =
        factory === undefined
          ? new PatientWorker<QueuedDelivery>(queueName, process, workerOptions)
          : new PatientWorker<QueuedDelivery>(queueName, process, workerOptions, factory);
      worker.on('error', onError);
      return { close: (graceMs) => closeWorker(worker, calls, graceMs) };
    },
    async close() {
      if (!(await endsWithin(queue.close(), closeGraceMs))) await cutOff(queue.getBackend());
    },
  };
}

/** No `:` and not digits only: BullMQ treats those specially. */
function jobIdOf({ id, feeds }: QueuedDelivery): string {
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

/**
 * Lets a worker finish its jobs, within a time. BullMQ's `close()` waits without limit, for ever while
 * Redis is away, and cannot be forced once it was begun: so the worker pauses first, and is then closed by force unless
 * all of its jobs have ended in the queue too.
 */
export async function closeWorker(
  worker: { pause(): Promise<void>; close(force: boolean): Promise<void>; getBackend(): IQueueBackend },
  calls: Tracker,
  graceMs: number,
): Promise<void> {
  const paused = worker.pause();
  await endsWithin(Promise.race([paused, calls.idle()]), graceMs);
  const clean = await endsWithin(paused, closeGraceMs);
  const cut = (): Promise<void> => cutOff(worker.getBackend());
  if (!(await endsWithin(worker.close(!clean), closeGraceMs))) await cut();
  // Pausing ends once the connection is back, however late that is.
  if (!clean) void paused.then(cut, cut);
}

/** Breaks connections off: BullMQ asks Redis to end them, and one that is silent never does, nor lets the process end. */
export async function cutOff(backend: IQueueBackend): Promise<void> {
  const cut = Promise.all([backend.disconnect(), backend.disconnectBlocking(false)]);
  await endsWithin(
    cut.then(() => {}),
    closeGraceMs,
  );
}

/** Whether something ends well within a time; its later result is ignored. */
export async function endsWithin(ending: Promise<void>, ms: number): Promise<boolean> {
  const done = new AbortController();
  const late = sleep(ms, false, done).catch(() => false);
  const ended = await Promise.race([
    ending.then(
      () => true,
      () => false,
    ),
    late,
  ]);
  done.abort();
  return ended;
}
