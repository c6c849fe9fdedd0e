/**
 * The pace, as the receiving server saw it, which does nothing but note when each call came: four real `roster-sync worker` processes share one rate. Beside it the same
 * number of calls by four raw BullMQ workers with BullMQ's own limiter.
 *
 *   node bench/pace.ts [--rate 100] [--seconds 60] [--workers 4] [--rounds 5] [--no-limiter]
 *
 * With `--chaos` one call of a hundred is reset, and at random moments (the number of the round is the seed) a worker is
 * killed, stopped, or frozen for a moment, and another one started. The share says nothing then. No call is refused: a
 * service that refuses is called more slowly, and then its limit is hard to reach.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mostCallsInWindow } from '../src/sandbox/index.ts';
import { draw } from '../src/sandbox/random.ts';
import { type Figure, median, printFigures } from './support/figure.ts';
import {
  openProduction,
  plan,
  type Production,
  startWorker,
  type WorkerProcess,
  writeRoster,
} from './support/production.ts';
import { fillRawQueue, startRawWorker } from './support/raw-queue.ts';
import { type SandboxServer, startSandboxServer } from './support/sandbox-server.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    limiter: { type: 'boolean', default: true },
    chaos: { type: 'boolean', default: false },
  },
});
const [rate, seconds, workers, rounds] = [values.rate, values.seconds, values.workers, values.rounds].map(Number) as [
  number,
  number,
  number,
  number,
];
const people = rate * seconds;
const concurrency = 10;
/** Calls before the share is measured. */
const warmUp = 300;

/** What the server saw: the most calls within any second, the share of the rate that was used, and how long it stood still itself. */
interface Seen {
  most: number;
  share: number;
  pauseMs: number;
}

const servers = await startServers();
const sandbox = values.chaos ? await startSandboxServer('reset=after,probability=0.01') : undefined;
const receiver = fork(join(import.meta.dirname, 'support/service-process.ts'));
const [named] = (await once(receiver, 'message')) as [{ url: string; token: string }];
const service = sandbox ?? named;
const roster = await writeRoster(people);

/** Forgets the calls of the round before. */
async function clear(): Promise<void> {
  receiver.send({ clear: true, keep: people });
  await sandbox?.clear();
}

async function allCalled(): Promise<Seen> {
  receiver.send({ await: people });
  await once(receiver, 'message');
  receiver.send({ tell: true });
  const [told] = (await once(receiver, 'message')) as [{ times: number[]; longestPauseMs: number }];
  const times = told.times.toSorted((a, b) => a - b);
  if (times.length !== people) throw new Error(`${times.length} calls for ${people} people`);
  const tookMs = (times.at(-1) ?? 0) - (times[warmUp] ?? 0);
  const most = mostCallsInWindow(
    times.map((arrivedAt) => ({ arrivedAt })),
    1000,
  );
  return { most, share: ((people - 1 - warmUp) / rate / tookMs) * 1000, pauseMs: told.longestPauseMs };
}

/** Most of the calls, with workers that come and go. */
async function chaos(
  seed: number,
  sandbox: SandboxServer,
  { production, running }: { production: Production; running: WorkerProcess[] },
): Promise<Seen> {
  for (let turn = 0; (await sandbox.countCalls()) < people * 0.9; turn += 1) {
    await sleep(300 + draw(seed, 'wait', turn) * 3000);
    const at = Math.floor(draw(seed, 'which', turn) * running.length);
    const how = draw(seed, 'how', turn);
    const worker = running[at];
    if (how < 0.3) {
      worker?.child.kill('SIGSTOP');
      await sleep(100 + draw(seed, 'frozen', turn) * 2000);
      worker?.child.kill('SIGCONT');
    } else {
      await (how < 0.6 ? worker?.stop() : worker?.kill());
      running[at] = await startWorker(production);
    }
  }
  return { most: mostCallsInWindow(await sandbox.calls(), 1000), share: 0, pauseMs: 0 };
}

async function ours(round: number): Promise<Seen> {
  await servers.reset();
  await clear();
  const production = await openProduction(servers, { service, rate, concurrency });
  const { runId } = await plan(production, roster);
  const running = await Promise.all(Array.from({ length: workers }, () => startWorker(production)));
  await production.context.ledger.releaseRun(runId, true);
  const seen = sandbox ? await chaos(round, sandbox, { production, running }) : await allCalled();
  await Promise.all(running.map((worker) => (values.chaos ? worker.kill() : worker.stop())));
  await production.close();
  return seen;
}

async function limiter(): Promise<Seen> {
  await servers.reset();
  await clear();
  await fillRawQueue(servers.redisUrl, people);
  const options = { redisUrl: servers.redisUrl, service, concurrency, limit: rate };
  const running = await Promise.all(Array.from({ length: workers }, () => startRawWorker(options)));
  for (const child of running) child.send('go');
  const seen = await allCalled();
  for (const child of running) child.kill();
  return seen;
}

const seen: Record<'ours' | 'limiter', Seen[]> = { ours: [], limiter: [] };
for (let round = 0; round < rounds; round += 1) {
  seen.ours.push(await ours(round));
  if (values.chaos) console.log(`seed ${round}: at most ${seen.ours.at(-1)?.most} calls in a second`);
  if (values.limiter && !values.chaos) seen.limiter.push(await limiter());
}
const limiterSaw = (of: (one: Seen) => number, digits: number): string =>
  values.limiter && !values.chaos
    ? `BullMQ's own limiter {${rate}, 1000}: ${median(seen.limiter.map(of)).toFixed(digits)}`
    : '';
const share: Figure = {
  name: `share of the allowed rate that was used, after the first ${warmUp} calls`,
  values: seen.ours.map(({ share }) => share * 100),
  unit: ' %',
  must: 95,
  aim: 97,
  of: limiterSaw(({ share }) => share * 100, 1),
};
printFigures(`pace: ${workers} worker processes, ${rate}/s for ${seconds} s, as the receiver saw it`, [
  {
    name: 'most calls in any sliding second',
    // The worst round counts, not the middle one.
    values: [Math.max(...seen.ours.map(({ most }) => most))],
    must: rate,
    aim: rate,
    bound: 'most',
    of: `the worst of ${rounds}${values.chaos ? '' : `; the receiver stood still for at most ${Math.max(...seen.ours.map(({ pauseMs }) => pauseMs)).toFixed(0)} ms`}; ${limiterSaw(({ most }) => most, 0)}`,
  },
  ...(values.chaos ? [] : [share]),
]);
sandbox?.stop();
receiver.disconnect();
await servers.stop();
