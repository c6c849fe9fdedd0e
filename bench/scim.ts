/**
 * The SCIM service: users created one by one while a run delivers, at 50 requests a second and then as fast as 50 connections can,
 * beside a bare Fastify route that only answers; whether one that was answered 201 is missing after a `kill -9`; and the pace of
 * the run meanwhile, of the pace that is allowed. Exits 1 when a bound does not hold.
 *
 *   node bench/scim.ts [--seconds 20] [--rounds 3] [--production]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { removeAtExit } from '../test/support/server-process.ts';
import { median, printFigures } from './support/figure.ts';
import { percentile } from './support/hook-sender.ts';
import { writePeople } from './support/people-file.ts';
import { startSandboxServer } from './support/sandbox-server.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    production: { type: 'boolean', default: false },
  },
});
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const perSecond = 50;
const callsPerSecond = 50;
const connections = 50;
const bin = join(import.meta.dirname, '../bin/roster-sync.cjs');
const servers = values.production ? await startServers() : undefined;
const sandbox = await startSandboxServer();

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A process of the command line that is killed with this one. */
function start(words: readonly string[], folder: string, env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [bin, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL'));
  return child;
}

/** What a process says on a stream until a pattern matches; its first group. */
async function said(stream: NodeJS.ReadableStream | null, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const piece of stream ?? []) {
    text += String(piece);
    const [, found] = pattern.exec(text) ?? [];
    if (found === undefined) continue;
    stream?.on('error', () => {}).resume();
    return found;
  }
  throw new Error(`it ended:\n${text}`);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A request and its answer. */
interface Sent {
  name: string;
  /** 0 if there was none. */
  status: number;
  ms: number;
}

/** Creates users at one address. */
function createSender(url: string, token: string, path: string) {
  const pool = new Pool(url, { connections });
  let number = 0;
  return {
    async send(): Promise<Sent> {
      const name = `person${(number += 1)}.${process.hrtime.bigint()}@example.com`;
      const began = performance.now();
      const body = JSON.stringify({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        ...{ userName: name, externalId: name, active: true, displayName: 'A Person' },
        name: { givenName: 'A', familyName: 'Person' },
        emails: [{ primary: true, type: 'work', value: name }],
      });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const status = await pool
        .request({ method: 'POST', path, headers, body })
        .then(async (answer) => (await answer.body.dump(), answer.statusCode))
        .catch(() => 0);
      return { name, status, ms: performance.now() - began };
    },
    async list(from: string): Promise<string[]> {
      const names: string[] = [];
      for (let startIndex = 1; ; startIndex += 1000) {
        const answer = await pool.request({
          ...{ method: 'GET', headers: { authorization: `Bearer ${token}` } },
          path: `${from}?count=1000&startIndex=${startIndex}&attributes=userName`,
        });
        const { Resources } = (await answer.body.json()) as { Resources: { userName: string }[] };
        names.push(...Resources.map(({ userName }) => userName));
        if (Resources.length < 1000) return names;
      }
    },
    close: () => pool.destroy(),
  };
}

type Sender = ReturnType<typeof createSender>;

/** Sends at a steady pace, whether or not the answers keep up. */
async function steadily(sender: Sender, forMs: number): Promise<Sent[]> {
  const began = performance.now();
  const sent: Promise<Sent>[] = [];
  while (performance.now() - began < forMs) {
    sent.push(sender.send());
    await sleep(Math.max(0, began + (sent.length * 1000) / perSecond - performance.now()));
  }
  return Promise.all(sent);
}

/** Sends over all connections without a pause. */
async function fast(sender: Sender, forMs: number): Promise<Sent[]> {
  const until = performance.now() + forMs;
  const all = await Promise.all(
    Array.from({ length: connections }, async () => {
      const sent: Sent[] = [];
      while (performance.now() < until) sent.push(await sender.send());
      return sent;
    }),
  );
  return all.flat();
}

const p99: number[] = [];
const ours: number[] = [];
const bare: number[] = [];
const pace: number[] = [];
const lost: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'rs-bench-scim-'));
  removeAtExit(folder);
  await servers?.reset();
  await sandbox.clear();
  await writePeople(join(folder, 'staff.csv'), 20_000);
  writeFileSync(join(folder, 'roster-sync.yaml'), 'sources:\n  entra: { scim: { quiet: 1h, longest: 2h } }\n');
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder },
    ...{ ROSTER_SYNC_BASE_URL: sandbox.url, ROSTER_SYNC_TOKEN: sandbox.token },
    ROSTER_SYNC__DELIVERY__RATE__LIMIT: String(callsPerSecond),
    ...(servers ? { REDIS_URL: servers.redisUrl, DATABASE_URL: servers.databaseUrl } : {}),
  };
  const create = start(['token', 'create', '--name', 'idp', '--scope', 'scim:entra'], folder, env);
  const token = await said(create.stdout, /(rstk_[\w-]+)/);
  if (create.exitCode === null) await once(create, 'exit');
  const imported = start(
    ['import', 'staff.csv', '--source', 'nightly', '--group', 'Staff', '--yes', '--no-canary'],
    folder,
    env,
  );
  imported.stdout?.resume();
  imported.stderr?.resume();
  while ((await sandbox.countCalls()) === 0) await sleep(100);
  await kill(imported);

  const serve = async (): Promise<{ child: ChildProcess; sender: Sender }> => {
    const child = start(['serve', '--port', '0'], folder, env);
    child.stdout?.resume();
    const url = await said(child.stderr, /Serving on (http:\/\/[^\s,]+)/);
    return { child, sender: createSender(url, token, '/scim/v2/entra/Users') };
  };
  const { child, sender } = await serve();
  await steadily(sender, 5000);
  const [before, began] = [await sandbox.countCalls(), performance.now()];
  const steady = await steadily(sender, seconds * 1000);
  const calls = (await sandbox.countCalls()) - before;
  pace.push((calls * 1000) / (performance.now() - began) / callsPerSecond);
  p99.push(
    percentile(
      steady.map(({ ms }) => ms),
      0.99,
    ),
  );
  const forMs = (seconds * 1000) / 2;
  const saturated = await fast(sender, forMs);
  ours.push((saturated.filter(({ status }) => status === 201).length * 1000) / forMs);

  const killing = sleep(1500).then(() => kill(child));
  const last = await fast(sender, 3000);
  await killing;
  const again = await serve();
  const kept = new Set(await again.sender.list('/scim/v2/entra/Users'));
  const created = [...steady, ...saturated, ...last].filter(({ status }) => status === 201);
  lost.push(created.filter(({ name }) => !kept.has(name)).length);
  await Promise.all([sender.close(), again.sender.close(), kill(again.child)]);

  const route = spawn(process.execPath, [join(import.meta.dirname, 'support/bare-route.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [address] = (await once(route.stdout.setEncoding('utf8'), 'data')) as [string];
  const plain = createSender(address.trim(), token, '/hooks/staff');
  bare.push(((await fast(plain, forMs)).filter(({ status }) => status === 202).length * 1000) / forMs);
  await Promise.all([plain.close(), kill(route)]);
}
sandbox.stop();
await servers?.stop();

const ratios = ours.map((one, at) => one / (bare[at] ?? Number.NaN));
printFigures(`SCIM, ${servers ? 'Redis and PostgreSQL' : 'embedded'}, while a run delivers at ${callsPerSecond}/s`, [
  {
    name: `p99 of creating a user at ${perSecond}/s`,
    values: p99,
    unit: ' ms',
    must: 50,
    bound: 'most',
    of: `${seconds} s of it`,
  },
  {
    name: 'answered 201 and missing after kill -9',
    values: lost,
    must: 0,
    bound: 'most',
    of: 'all users that were created',
  },
  {
    name: 'pace of the run meanwhile, of what is allowed',
    values: pace,
    must: 0.95,
    of: `${callsPerSecond} calls a second`,
  },
  {
    name: 'users created per second at saturation, of a bare route',
    values: ratios,
    of: `${median(ours).toFixed(0)}/s of ${median(bare).toFixed(0)}/s, ${connections} connections`,
  },
]);
process.exit();
