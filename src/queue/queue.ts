import {
  type BackendFactory,
  createPostgresBackend,
  type IQueueBackend,
  type JobsOptions,
  Queue,
  runMigrations,
  Worker,
} from 'bullmq';
import type { Pool } from 'pg';
import type { Secret } from '../core/secret.ts';
import { type Feeder, type FeederParts, startFeeder } from './feeder.ts';

/** What a job carries: the id of a delivery and nothing about the person. */
interface JobData {
  delivery: number;
}

/** Where the queue lives: in the ledger's own database (embedded or PostgreSQL), or in Redis. */
export type QueueHome = { pool: Pool } | { redisUrl: Secret; prefix: string };

/** The queue of group inserts: one job per delivery. */
export interface DeliveryQueue {
  /** Feeds the queue until nothing is left to do. */
  feed(parts: FeederParts): Feeder;
  /** Takes everything out; only for the one process that delivers, which then refills it from the ledger. */
  empty(): Promise<void>;
  /** Starts to work: `deliver` is called with the id of a delivery for each job, `concurrency` at a time. */
  work(deliver: (delivery: number) => Promise<void>, concurrency: number): DeliveryWorker;
  close(): Promise<void>;
}

/** The running half of the queue. */
export interface DeliveryWorker {
  /** Finishes the jobs under way, takes no further ones; gives up after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

const queueName = 'group-insert';
const jobName = 'group-insert';

/**
 * Each attempt is one job that BullMQ carries once: the ledger owns every retry. Nothing is kept of a job
 * that has ended, because the ledger remembers.
 */
const jobOptions: JobsOptions = { attempts: 1 };

/** BullMQ renews a job's lock at half of this; a long event loop stall or Redis outage must not lose it. */
const lockDuration = 60_000;
/** A job that stalled is given out again however often: the ledger decides whether it is still wanted. */
const maxStalledCount = 1_000_000;

/** Opens the queue. `onError` hears of connection troubles, which the queue itself survives. */
export async function openQueue(home: QueueHome, onError: (error: Error) => void): Promise<DeliveryQueue> {
  return 'pool' in home ? openOverPostgres(home.pool, onError) : openOverRedis(home, onError);
}

async function openOverPostgres(pool: Pool, onError: (error: Error) => void): Promise<DeliveryQueue> {
  const client = await pool.connect();
  try {
    await runMigrations(client, 'bullmq', {});
  } finally {
    client.release();
  }
  const factory = createPostgresBackend as unknown as BackendFactory<IQueueBackend, unknown>;
  return over({ connection: pool }, factory, onError);
}

async function openOverRedis(
  home: { redisUrl: Secret; prefix: string },
  onError: (error: Error) => void,
): Promise<DeliveryQueue> {
  const connection = {
    url: home.redisUrl.reveal(),
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(200 * times, 2000),
  };
  return over({ connection, prefix: home.prefix }, undefined, onError);
}

function over(
  options: { connection: unknown; prefix?: string },
  factory: BackendFactory<IQueueBackend, unknown> | undefined,
  onError: (error: Error) => void,
): DeliveryQueue {
  type Backend = IQueueBackend;
  const AnyQueue = Queue<JobData, void, string, JobData, void, string, Backend, unknown>;
  const AnyWorker = Worker<JobData, void, string, Backend, never, unknown>;
  const queue = factory === undefined ? new AnyQueue(queueName, options) : new AnyQueue(queueName, options, factory);
  queue.on('error', onError);
  let feeder: Feeder | undefined;
  return {
    feed(parts) {
      feeder = startFeeder(parts, async (deliveries) => {
        const jobs = deliveries.map(({ id, feeds }) => ({
          name: jobName,
          data: { delivery: id },
          opts: { ...jobOptions, jobId: `${id}-${feeds}` },
        }));
        await queue.addBulk(jobs);
      });
      return feeder;
    },
    empty: () => queue.obliterate({ force: true }),
    work(deliver, concurrency) {
      const workerOptions = {
        ...options,
        concurrency,
        lockDuration,
        maxStalledCount,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      };
      const process = async (job: { data: JobData }): Promise<void> => {
        await deliver(job.data.delivery);
        feeder?.settled();
      };
      const worker =
        factory === undefined
          ? new AnyWorker(queueName, process, workerOptions)
          : new AnyWorker(queueName, process, workerOptions, factory);
      worker.on('error', onError);
      return { close: (graceMs) => closeWithin(worker, graceMs) };
    },
    close: () => queue.close(),
  };
}

/** `close()` waits without limit, and for ever while Redis is away: after the grace period it is forced. */
async function closeWithin(worker: { close(force?: boolean): Promise<void> }, graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, graceMs, 'late');
  });
  const ended = await Promise.race([worker.close().then(() => 'closed' as const), late]);
  clearTimeout(timer);
  if (ended === 'late') await worker.close(true);
}
