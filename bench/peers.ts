/**
 * The product in production mode beside others that do the same work: each person is called once, and each result is a row in
 * PostgreSQL. All deliver the same people, so many at a time, to a service that answers at once; alternating rounds.
 *
 *   npm ci --prefix bench/peers && node bench/peers.ts [--people 10000] [--concurrency 50] [--rounds 3]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Contest, type Round, startService } from './support/contest.ts';
import { median, printFigures } from './support/figure.ts';
import { writeRoster } from './support/production.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '10000' },
    concurrency: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '3' },
  },
});
const [people, concurrency, rounds] = [Number(values.people), Number(values.concurrency), Number(values.rounds)];
const folder = join(import.meta.dirname, 'peers');
if (!existsSync(join(folder, 'node_modules'))) {
  console.error('The peers are not installed: npm ci --prefix bench/peers');
  process.exit(2);
}

/** The contenders of `bench/peers`, by the names of their files. */
const peers = {
  'p-limit': 'p-limit + undici + one INSERT each',
  bullmq: 'BullMQ + undici + one INSERT each',
  'graphile-batched': 'graphile-worker, local queue and batched completion, + one INSERT each',
  graphile: 'graphile-worker as it comes + one INSERT each',
  'pg-boss': 'pg-boss, batches of 100, + one INSERT each',
};

const servers = await startServers();
const service = await startService();
const contest = new Contest(servers, service, { people, concurrency }, await writeRoster(people));

async function peer(name: string): Promise<Round> {
  await servers.reset();
  const { url, token } = service;
  const words = [name, servers.databaseUrl, servers.redisUrl, url, token, String(people), String(concurrency)];
  const child = fork(join(folder, 'contender.mjs'), words);
  await once(child, 'message');
  return contest.measureChild(child, async () => {
    for (;;) {
      const { rows } = await servers.database.query<{ count: number }>('select count(*)::int as count from results');
      if (rows[0]?.count === people) return;
      await sleep(2);
    }
  });
}

const contenders: [name: string, run: () => Promise<Round>][] = [
  ['ours: claim, pace, last look, receipt, what was given, outbox', () => contest.product()],
  ['BullMQ + undici, records nothing', () => contest.raw()],
  ...Object.entries(peers).map(([name, title]): [string, () => Promise<Round>] => [title, () => peer(name)]),
];
const seen = contenders.map((): Round[] => []);
for (let round = 0; round < rounds; round += 1)
  for (const [at, [, run]] of contenders.entries()) seen[at]?.push(await run());

const [ours = []] = seen;
printFigures(
  `\npeers: ${people} people, concurrency ${concurrency}, calls a second; then ours / theirs`,
  contenders.map(([name], at) => {
    const of = (figure: keyof Round): number => median((seen[at] ?? []).map((round) => round[figure]));
    const [own, redis, postgres] = [of('own'), of('redis'), of('postgres')];
    const parts = [own, redis, postgres].map((ms) => ms.toFixed(2)).join(' + ');
    return {
      name,
      values: ours.map((round, nth) => round.perSecond / (seen[at]?.[nth]?.perSecond ?? Number.NaN)),
      ...(name === peers.bullmq && { must: 1, aim: 1.35 }),
      of: `${of('perSecond').toFixed(0)}/s; processor time per call, own + Redis + PostgreSQL: ${parts} = ${(own + redis + postgres).toFixed(2)} ms`,
    };
  }),
);
service.child.disconnect();
await servers.stop();
process.exit();
