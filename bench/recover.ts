/**
 * From `kill -9` of a worker until the last of its calls in flight is made again by another, with a timeout of 10 s for
 * each call. Beside it raw BullMQ workers with BullMQ's own settings.
 *
 *   node bench/recover.ts [--rounds 5] [--no-raw]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { repeatedCalls } from '../src/sandbox/index.ts';
import { median, printFigures } from './support/figure.ts';
import { openProduction, plan, startWorker, writeRoster } from './support/production.ts';
import { fillRawQueue, startRawWorker } from './support/raw-queue.ts';
import { type SandboxServer, startSandboxServer } from './support/sandbox-server.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: { rounds: { type: 'string', default: '5' }, raw: { type: 'boolean', default: true } },
});
const rounds = Number(values.rounds);
const people = 400;
const concurrency = 10;
/** Long enough that calls are in flight at the kill, short enough that they would have ended before the timeout. */
const latency = 1000;

const servers = await startServers();
const roster = await writeRoster(people);

/** Kills one of two workers while both call, and waits until everybody was called. Returns the time in s. */
async function killOne(sandbox: SandboxServer, kill: () => Promise<void>): Promise<number> {
  while ((await sandbox.countCalls()) < 40) await sleep(50);
  const killedAt = Date.now();
  await kill();
  const known = new Set<string>();
  while (known.size < people) {
    for (const { email } of await sandbox.calls()) if (email !== undefined) known.add(email);
    await sleep(250);
  }
  // Whoever was in flight at the kill has been called again by now, or is about to be.
  const deadline = Date.now() + 120_000;
  for (;;) {
    const again = repeatedCalls(await sandbox.calls()).flatMap(({ calls }) => calls.slice(1));
    const lastAt = Math.max(...again.map(({ arrivedWall }) => arrivedWall));
    const settled = Date.now() - Math.max(lastAt, killedAt) > 15_000;
    if (again.length > 0 && settled) return (lastAt - killedAt) / 1000;
    if (Date.now() > deadline) throw new Error('the calls in flight were not made again');
    await sleep(500);
  }
}

async function ours(): Promise<number> {
  const sandbox = await startSandboxServer(`latency=${latency}`);
  await servers.reset();
  const production = await openProduction(servers, { service: sandbox, rate: 1000, concurrency, timeout: '10s' });
  const { runId } = await plan(production, roster);
  const [first, second] = [await startWorker(production), await startWorker(production)];
  await production.context.ledger.releaseRun(runId, true);
  const took = await killOne(sandbox, first.kill);
  await second.stop();
  await production.close();
  sandbox.stop();
  return took;
}

async function raw(): Promise<number> {
  const sandbox = await startSandboxServer(`latency=${latency}`);
  await servers.reset();
  await fillRawQueue(servers.redisUrl, people);
  const options = { redisUrl: servers.redisUrl, service: sandbox, concurrency };
  const children = [await startRawWorker(options), await startRawWorker(options)];
  for (const child of children) child.send('go');
  const took = await killOne(sandbox, async () => void children[0]?.kill('SIGKILL'));
  children[1]?.kill();
  sandbox.stop();
  return took;
}

const times: Record<'ours' | 'raw', number[]> = { ours: [], raw: [] };
for (let round = 0; round < rounds; round += 1) times.ours.push(await ours());
if (values.raw) times.raw.push(await raw());
printFigures('recover: kill -9 of one of two workers, timeout of a call 10 s', [
  {
    name: 'until the last of its calls in flight is made again',
    values: times.ours,
    unit: ' s',
    must: 60,
    aim: 30,
    bound: 'most',
    of: values.raw ? `raw BullMQ with its own settings: ${median(times.raw).toFixed(1)} s (once)` : '',
  },
]);
await servers.stop();
