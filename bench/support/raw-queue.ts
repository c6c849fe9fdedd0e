import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Queue } from 'bullmq';
import { personOf } from './people.ts';

/** What a raw job carries: all that its call needs, for there is no ledger. */
export interface RawJob {
  groups: string[];
  user: { firstname: string; lastname: string; email: string };
}

/** The chunk that fills a queue best. */
const rawChunk = 500;

/** Fills the raw queue with so many jobs. Returns how long it took, ms. */
export async function fillRawQueue(redisUrl: string, people: number): Promise<number> {
  const queue = new Queue<RawJob>('raw', { connection: { url: redisUrl, maxRetriesPerRequest: null } });
  await queue.waitUntilReady();
  const started = performance.now();
  for (let n = 0; n < people; n += rawChunk) {
    await queue.addBulk(
      Array.from({ length: Math.min(rawChunk, people - n) }, (_, at) => {
        const { groups, ...user } = personOf(n + at);
        return { name: 'group-insert', data: { groups, user } };
      }),
    );
  }
  const tookMs = performance.now() - started;
  await queue.close();
  return tookMs;
}

/** How a raw worker is to work. */
export interface RawWorkerOptions {
  redisUrl: string;
  service: { url: string; token: string };
  concurrency: number;
  /** BullMQ's own limiter: so many jobs a second. */
  limit?: number;
}

/** Starts a raw worker in a process of its own; it works once it is sent a message. */
export async function startRawWorker({
  redisUrl,
  service,
  concurrency,
  limit,
}: RawWorkerOptions): Promise<ChildProcess> {
  const limiter = limit === undefined ? [] : [limit, 1000];
  const args = [redisUrl, service.url, service.token, concurrency, ...limiter].map(String);
  const child = fork(fileURLToPath(new URL('./raw-worker.ts', import.meta.url)), args);
  await once(child, 'message');
  return child;
}
