/**
 * The memory of Redis above empty during a large run, at its highest: the run is planned, released, and delivered at the
 * highest pace for a while. Beside it a raw queue that holds all of its jobs at once.
 *
 *   node bench/redis-memory.ts [--people 1000000] [--seconds 60] [--workers 2]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { printFigures } from './support/figure.ts';
import { openProduction, plan, startWorker, writeRoster } from './support/production.ts';
import { fillRawQueue } from './support/raw-queue.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: '2' },
  },
});
const [people, seconds, workers] = [Number(values.people), Number(values.seconds), Number(values.workers)];
const servers = await startServers();
const megabytes = async (): Promise<number> =>
  Number(/used_memory:(\d+)/.exec(await servers.redis.info('memory'))?.[1]) / 1e6;
const empty = await megabytes();

const rawPeople = Math.min(people, 100_000);
await fillRawQueue(servers.redisUrl, rawPeople);
const raw = (((await megabytes()) - empty) * people) / rawPeople;
await servers.reset();

const child = fork(join(import.meta.dirname, 'support/service-process.ts'), ['20']);
const [service] = (await once(child, 'message')) as [{ url: string; token: string }];
const production = await openProduction(servers, { service, rate: 100_000, concurrency: 50 });
const { ledger } = production.context;
const { runId } = await plan(production, await writeRoster(people));
const running = await Promise.all(Array.from({ length: workers }, () => startWorker(production)));
await ledger.releaseRun(runId, true);
let highest = 0;
for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(100)) {
  highest = Math.max(highest, (await megabytes()) - empty);
}
const { succeeded = 0 } = await ledger.countOutcomes(runId);
if (succeeded === 0) throw new Error('nothing was delivered');
await Promise.all(running.map((worker) => worker.kill()));
printFigures(`redis-memory: a run of ${people} members, ${succeeded} of them delivered in ${seconds} s`, [
  {
    name: 'memory of Redis above empty, at its highest',
    values: [highest],
    unit: ' MB',
    must: 50,
    aim: 10,
    bound: 'most',
    of: `a raw queue with all ${people} jobs: ${raw.toFixed(0)} MB (from ${rawPeople})`,
  },
]);
child.disconnect();
await production.close();
await servers.stop();
