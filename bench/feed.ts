/**
 * Deliveries put into the queue per second with no bound of jobs: from due in PostgreSQL to a job in Redis.
 * Beside it the same jobs by raw `addBulk`, in chunks of 500. Medians of alternating rounds.
 *
 *   node bench/feed.ts [--people 50000] [--rounds 5]
 */
import { parseArgs } from 'node:util';
import { Queue } from 'bullmq';
import { createFeedPositions, feederLimits, startFeeder } from '../jobs/deliver/feeder.ts';
import { median, printFigures } from './support/figure.ts';
import { openProduction, plan, writeRoster } from './support/production.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  options: { people: { type: 'string', default: '50000' }, rounds: { type: 'string', default: '5' } },
});
const people = Number(values.people);
const rounds = Number(values.rounds);
const chunk = 500;
const servers = await startServers();
const roster = await writeRoster(people);

/** The same jobs, without a ledger: as much as Redis and BullMQ take. */
async function raw(): Promise<number> {
  await servers.reset();
  const queue = new Queue('raw', { connection: { url: servers.redisUrl, maxRetriesPerRequest: null } });
  await queue.waitUntilReady();
  const started = performance.now();
  for (let n = 0; n < people; n += chunk) {
    await queue.addBulk(
      Array.from({ length: Math.min(chunk, people - n) }, (_, at) => ({
        name: 'group-insert',
        data: { id: n + at + 1, feeds: 1 },
        opts: { attempts: 1, jobId: `${n + at + 1}-1` },
      })),
    );
  }
  const perSecond = (people / (performance.now() - started)) * 1000;
  await queue.close();
  return perSecond;
}

async function ours(): Promise<number> {
  await servers.reset();
  const service = { url: 'http://127.0.0.1:9', token: 'YmVuY2g6YmVuY2g=' };
  const production = await openProduction(servers, { service, rate: 100_000, concurrency: 10 });
  const { ledger, config } = { ...production.context };
  const { runId } = await plan(production, roster);
  const delivery = await production.context.openDelivery(config.delivery.rate);
  while (!(await delivery.leads())) await new Promise(setImmediate);
  await ledger.releaseRun(runId, true);
  const positions = createFeedPositions(ledger);
  const done = Promise.withResolvers<void>();
  let fed = 0;
  const started = performance.now();
  const feeder = startFeeder(
    {
      leads: delivery.leads,
      async runs() {
        const runs = await ledger.deliveringRuns(delivery.service.address);
        positions.keep(runs);
        return runs;
      },
      positions,
      queue: {
        async add(deliveries, front) {
          await delivery.queue.add(deliveries, front);
          fed += deliveries.length;
          if (fed === people) done.resolve();
        },
        size: delivery.queue.size,
      },
      pacer: { gateClosedFor: () => Promise.resolve(0), callsIn: () => Infinity },
      tend: () => Promise.resolve(),
      onError: done.reject,
    },
    { ...feederLimits, mostJobs: Infinity },
  );
  await done.promise;
  const perSecond = (people / (performance.now() - started)) * 1000;
  await feeder.stop();
  if ((await delivery.queue.size()) !== people) throw new Error('not everything is in the queue');
  await production.close();
  return perSecond;
}

const rates: Record<'raw' | 'ours', number[]> = { raw: [], ours: [] };
for (let round = 0; round < rounds; round += 1) {
  rates.raw.push(await raw());
  rates.ours.push(await ours());
}
printFigures(`feed: ${people} deliveries, no bound of jobs`, [
  {
    name: 'deliveries enqueued per second / raw addBulk in chunks of 500',
    values: rates.ours.map((rate, at) => rate / (rates.raw[at] ?? Number.NaN)),
    must: 0.7,
    aim: 0.9,
    of: `${median(rates.ours).toFixed(0)}/s from the ledger, ${median(rates.raw).toFixed(0)}/s raw`,
  },
]);
await servers.stop();
