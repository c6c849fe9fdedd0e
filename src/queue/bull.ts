// Opens a queue of BullMQ with its worker, on the ledger's database or on Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BackendFactory,
  createPostgresBackend,
  type IQueueBackend,
  Queue,
  type QueueOptions,
  runMigrations,
} from 'bullmq';
import type { Pool } from 'pg';
import type { Tempo } from '../core/pace/waiting-times.ts';
import { PatientWorker } from './patient-worker.ts';
import { connectionOptions, longestBlockMs, type RedisUrl } from './redis.ts';

/** Whose queue it is (a short name of the service), and where it lives: in the ledger's own database, or in Redis. */
export type QueueHome = { service: string } & ({ pool: Pool } | { redisUrl: RedisUrl; prefix: string });

/** A job that stalled is given out again however often: the ledger decides whether it is still wanted. */
const maxStalledCount = 1_000_000;
/** The longest wait of closing for a Redis that is away. */
const closeGraceMs = 2000;

/** `Data` is what a job carries. */
interface Bull<Data> {
  queue: Queue<Data, void, string, Data, void, string, IQueueBackend, unknown>;
  /** Starts to work on its jobs, one at a time unless it is told how many. */
  work(task: (job: Job<Data>) => Promise<void>, concurrency?: number): PatientWorker<Data>;
  close(): Promise<void>;
}

interface Job<Data> {
  data: Data;
  opts: { prevMillis?: number };
}

/** Opens a queue. `onError` gets connection errors, which the queue itself survives. */
export async function openBull<Data>(
  home: QueueHome,
  name: string,
  { onError, tempo, settings = {} }: { onError(error: Error): void; tempo: Tempo } & Pick<QueueOptions, 'settings'>,
): Promise<Bull<Data>> {
  const queueName = `${name}-${home.service}`;
  const isRedis = 'redisUrl' in home;
  if (!isRedis) await prepareQueue(home.pool);
  const options = isRedis
    ? { connection: connectionOptions(home.redisUrl, tempo), prefix: home.prefix, settings }
    : { connection: home.pool as unknown, settings };
  const factory = isRedis ? undefined : (createPostgresBackend as unknown as BackendFactory<IQueueBackend, unknown>);
  const AnyQueue = Queue<Data, void, string, Data, void, string, IQueueBackend, unknown>;
  // Its default is Redis; undefined would be none.
  const queue = factory ? new AnyQueue(queueName, options, factory) : new AnyQueue(queueName, options);
  queue.on('error', onError);
  return {
    queue,
    work(task, concurrency = 1) {
      const workerOptions = {
        ...options,
        concurrency,
        lockDuration: tempo.jobLockMs,
        stalledInterval: tempo.stalledEveryMs,
        drainDelay: longestBlockMs(tempo) / 1000,
        maxStalledCount,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      };
      const worker = factory
        ? new PatientWorker<Data>(queueName, task, workerOptions, factory)
        : new PatientWorker<Data>(queueName, task, workerOptions);
      worker.on('error', onError);
      return worker;
    },
    async close() {
      if (!(await endsWithin(queue.close(), closeGraceMs))) await cutOff(queue.getBackend());
    },
  };
}

/** Makes or updates BullMQ's tables, in their own schema of the ledger's database. Costs little where they are up to date. */
export async function prepareQueue(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, 'bullmq', {});
  } finally {
    client.release();
  }
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
  calls: Tracker = new Tracker(),
  graceMs: number = closeGraceMs,
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
async function cutOff(backend: IQueueBackend): Promise<void> {
  const cut = Promise.all([backend.disconnect(), backend.disconnectBlocking(false)]);
  await endsWithin(
    cut.then(() => {}),
    closeGraceMs,
  );
}

/** Whether something ends well within a time; its later result is ignored. */
async function endsWithin(ending: Promise<void>, ms: number): Promise<boolean> {
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
