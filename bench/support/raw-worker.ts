/**
 * The raw baseline of delivering: a BullMQ worker that calls with undici and records nothing. Works when told to.
 *
 *   node raw-worker.ts <redis url> <service url> <token> <concurrency> [limiter: max] [limiter: duration in ms]
 */
import { once } from 'node:events';
import { Worker } from 'bullmq';
import { Pool } from 'undici';
import type { RawJob } from './raw-queue.ts';

const [redisUrl = '', url = '', token = '', concurrency = '1', max, duration] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });

async function call({ groups, user }: RawJob): Promise<void> {
  const { statusCode, body } = await pool.request({
    path: '/v1/groups/insert',
    method: 'POST',
    headers: { authorization: `Basic ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ groups, user, invite: true, forceSync: false }),
  });
  await body.json();
  if (statusCode !== 200) throw new Error(`status ${statusCode}`);
}

const worker = new Worker<RawJob>('raw', (job) => call(job.data), {
  connection: { url: redisUrl, maxRetriesPerRequest: null },
  autorun: false,
  concurrency: Number(concurrency),
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
  ...(max === undefined ? {} : { limiter: { max: Number(max), duration: Number(duration) } }),
});
worker.on('error', console.error);
process.on('disconnect', () => process.exit());
await worker.waitUntilReady();
process.send?.('ready');
await once(process, 'message');
void worker.run();
