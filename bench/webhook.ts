/**
 * Webhooks: 200 events a second for 30 s while a run delivers, and how long an answer takes; whether one that was answered is
 * missing after a `kill -9`; events a second at saturation, beside a bare Fastify route that only answers; and how long the
 * event loop is held up while 100,000 people are planned with an embedded ledger.
 *
 *   node bench/webhook.ts [--seconds 30] [--people 100000] [--rounds 3] [--production]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config/load.ts';
import { runSource } from '../jobs/run/run-source.ts';
import { openContext } from '../src/wiring/context.ts';
import { openEmbedded } from '../src/ledger/database/embedded/embedded.ts';
import { createLogger } from '../src/process/logger.ts';
import { removeAtExit } from '../test/support/server-process.ts';
import { median, printFigures } from './support/figure.ts';
import { hookKey, percentile, type Sent, sendAsFastAsPossible, sendSteadily } from './support/hook-sender.ts';
import { writePeople } from './support/people-file.ts';
import { startSandboxServer } from './support/sandbox-server.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    people: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    production: { type: 'boolean', default: false },
  },
});
const [seconds, people, rounds] = [Number(values.seconds), Number(values.people), Number(values.rounds)];
const perSecond = 200;
const warmUpMs = 5000;
const bin = join(import.meta.dirname, '../bin/roster-sync.cjs');
const servers = values.production ? await startServers() : undefined;
const sandbox = await startSandboxServer();

/** A folder with a roster that takes longer to deliver than the bench, and its settings. */
async function makePlace(): Promise<{ folder: string; environment: Record<string, string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rs-bench-hooks-'));
  removeAtExit(folder);
  await servers?.reset();
  await writePeople(join(folder, 'staff.csv'), people);
  writeFileSync(
    join(folder, 'roster-sync.yaml'),
    `sources:
  staff:
    file: ./staff.csv
    groups: [{ column: Department }]
    guards: { invites: off, new: off, newGroups: off }
    webhook: { preset: bamboohr, secret: ${hookKey}, quiet: 1h, longest: 2h }
`,
  );
  return {
    folder,
    environment: {
      ...{ PATH: process.env['PATH'] ?? '', HOME: folder },
      ...{
        ROSTER_SYNC_BASE_URL: sandbox.url,
        ROSTER_SYNC_TOKEN: sandbox.token,
        ROSTER_SYNC__DELIVERY__RATE__LIMIT: '50',
      },
      ...(servers ? { REDIS_URL: servers.redisUrl, DATABASE_URL: servers.databaseUrl } : {}),
    },
  };
}

type Place = Awaited<ReturnType<typeof makePlace>>;

function start({ folder, environment }: Place, words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [bin, ...words], {
    ...{ cwd: folder, env: environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  return child;
}

/** Starts `serve`. Returns the address of the webhook once it answers. */
async function serve(place: Place): Promise<{ child: ChildProcess; url: string }> {
  const child = start(place, ['serve', '--port', '0']);
  let said = '';
  for await (const piece of child.stderr?.setEncoding('utf8') ?? []) {
    said += String(piece);
    const [, address] = /Serving on (http:\/\/[^\s,]+)/.exec(said) ?? [];
    if (address === undefined) continue;
    child.stderr?.on('error', () => {}).resume();
    return { child, url: `${address}/hooks/staff` };
  }
  throw new Error(`serve has ended:\n${said}`);
}

/** Leaves a run that delivers, as a killed import does: whoever serves next continues it. */
async function leaveDelivering(place: Place): Promise<void> {
  await sandbox.clear();
  const child = start(place, [
    'import',
    'staff.csv',
    '--source',
    'imported',
    '--group-column',
    'Department',
    '--yes',
    '--no-canary',
  ]);
  child.stderr?.resume();
  const ended = once(child, 'exit');
  while ((await sandbox.countCalls()) === 0) {
    if (child.exitCode !== null) throw new Error('the import has ended');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  await ended;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** How many of those that were answered are missing in the ledger. */
async function missing(place: Place, sent: readonly Sent[]): Promise<number> {
  const question = 'select e.employees->>0 as id from events e';
  const read = async (): Promise<{ id: string }[]> => {
    if (servers) return (await servers.database.query<{ id: string }>(question)).rows;
    const database = await openEmbedded(join(place.folder, '.roster-sync', 'ledger'));
    const { rows } = await database.pool.query<{ id: string }>(question);
    await database.close();
    return rows;
  };
  const kept = new Set((await read()).map(({ id }) => id));
  return sent.filter(({ id, status }) => status === 202 && !kept.has(id)).length;
}

/** Events a second of a bare route, beside which ours is seen. */
async function bare(forMs: number): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./support/bare-route.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [address] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const sent = await sendAsFastAsPossible(`${address.trim()}/hooks/staff`, { connections: 50, forMs });
  await kill(child);
  return (sent.length * 1000) / forMs;
}

/** How long the event loop was held up at most, ms, while everybody is planned by this process. */
async function planningDelay(): Promise<{ longest: number; p99: number; tookMs: number }> {
  const { folder, environment } = await makePlace();
  const config = loadConfig({ environment: { ...environment, REDIS_URL: '', DATABASE_URL: '' }, cwd: folder });
  const context = await openContext({ config, log: createLogger({ quiet: true }), command: 'bench', create: true });
  const delivery = await context.openDelivery(config.delivery.rate);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  await runSource(delivery, { source: 'staff', trigger: 'event' });
  const tookMs = performance.now() - began;
  delay.disable();
  await context.close();
  return { longest: delay.max / 1e6, p99: delay.percentile(99) / 1e6, tookMs };
}

const p99: number[] = [];
const p50: number[] = [];
const answered: number[] = [];
const lost: number[] = [];
const ours: number[] = [];
const theirs: number[] = [];
const delays: Awaited<ReturnType<typeof planningDelay>>[] = [];
for (let round = 0; round < rounds; round += 1) {
  const place = await makePlace();
  await leaveDelivering(place);
  const { child, url } = await serve(place);
  const calls = await sandbox.countCalls();
  // A process that has just started compiles its code and fills its queue.
  const warmUp = await sendSteadily(url, { perSecond, forMs: warmUpMs });
  const steady = await sendSteadily(url, { perSecond, forMs: seconds * 1000 });
  if ((await sandbox.countCalls()) === calls) throw new Error('nothing was delivered meanwhile');
  p50.push(median(steady.map(({ ms }) => ms)));
  p99.push(
    percentile(
      steady.map(({ ms }) => ms),
      0.99,
    ),
  );
  answered.push((100 * steady.filter(({ status }) => status === 202).length) / steady.length);
  const fast = await sendAsFastAsPossible(url, { connections: 50, forMs: (seconds * 1000) / 3 });
  ours.push((fast.filter(({ status }) => status === 202).length * 3) / seconds);
  let count = 0;
  const last = await sendAsFastAsPossible(url, {
    ...{ connections: 50, forMs: 60_000 },
    onSent() {
      if ((count += 1) === 1000) child.kill('SIGKILL');
    },
  });
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  lost.push(await missing(place, [...warmUp, ...steady, ...fast, ...last]));
  theirs.push(await bare((seconds * 1000) / 3));
  if (!servers) delays.push(await planningDelay());
}
sandbox.stop();
await servers?.stop();

printFigures(
  `Webhooks, ${servers ? 'Redis and PostgreSQL' : 'embedded'}, while a run delivers ${people} people at 50/s`,
  [
    {
      ...{ name: 'p99 of the answer, from when the event was due', values: p99, unit: ' ms', must: 50, bound: 'most' },
      of: `${perSecond} events/s for ${seconds} s, signed and about 300 bytes each; median ${median(p50).toFixed(1)} ms`,
    },
    { name: 'answered 202', values: answered, unit: ' %', must: 100, of: 'of those' },
    {
      ...{ name: 'answered 202 and missing in the ledger after kill -9', values: lost, must: 0, bound: 'most' },
      of: 'killed under load from 50 connections',
    },
    {
      ...{ name: 'events/s at saturation / those of a bare Fastify route that only answers' },
      values: ours.map((value, at) => value / (theirs[at] ?? Number.NaN)),
      of: `${median(ours).toFixed(0)}/s beside ${median(theirs).toFixed(0)}/s, 50 connections, the sender on the same machine`,
    },
    ...(delays.length > 0
      ? [
          {
            name: 'the longest that the event loop was held up while everybody was planned, embedded',
            values: delays.map(({ longest }) => longest),
            ...{ unit: ' ms', must: 100, bound: 'most' as const },
            of: `${people} people in ${(median(delays.map(({ tookMs }) => tookMs)) / 1000).toFixed(1)} s; p99 ${median(delays.map(({ p99 }) => p99)).toFixed(1)} ms`,
          },
        ]
      : []),
  ],
);
process.exit();
