/**
 * The pages of a run of 100,000 people in production mode, 20 requests a second each: the first byte of the run's page, of
 * page 500 of its people, of a search by name, and of Home, beside a bare Fastify route; the processor time that each costs
 * the server and PostgreSQL, beyond the delivery; the size of the run's page; and the pace of a delivery with somebody
 * watching, beside one without.
 *
 *   node bench/page.ts [--people 100000] [--seconds 10] [--rounds 3]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeSignInLink } from '../src/server/page/session.ts';
import { askSteadily, type Asked, askOnce } from './support/ask-steadily.ts';
import { median, printFigures } from './support/figure.ts';
import { percentile } from './support/hook-sender.ts';
import { processorTime } from './support/processor-time.ts';
import { openProduction, plan, writeRoster } from './support/production.ts';
import { startSandboxServer } from './support/sandbox-server.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
});
const [people, seconds, rounds] = [Number(values.people), Number(values.seconds), Number(values.rounds)];
const perSecond = 20;
const rate = 50;
const bin = join(import.meta.dirname, '../bin/roster-sync.cjs');
const children: ChildProcess[] = [];
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Starts a program and waits for the address that it prints. */
async function start(args: readonly string[], environment: NodeJS.ProcessEnv, address: RegExp): Promise<string> {
  const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], HOME: tmpdir(), ...environment } });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  for (;;) {
    const [, found] = address.exec(said) ?? [];
    if (found !== undefined) return found;
    if (child.exitCode !== null) throw new Error(`it has ended:\n${said}`);
    await pause(50);
  }
}

const servers = await startServers();
const sandbox = await startSandboxServer();
const production = await openProduction(servers, { service: sandbox, rate, concurrency: 10 });
const { ledger } = production.context;
const { runId } = await plan(production, await writeRoster(people));
await ledger.releaseRun(runId, true);

// Three fifths of it are delivered already, a few of them not well; the rest is delivered while pages are asked for.
const before = `run_id = '${runId}' and id % 5 < 3`;
await servers.database.query(`
  update deliveries set state = 'done', calls = 1, attempts = 1, answer_kind = 'accepted', answer_status = 200,
    outcome = case when id % 500 = 1 then 'failed' when id % 500 = 2 then 'partial' else 'succeeded' end,
    reason = case when id % 500 < 3 then 'refused' else '' end, ended_at = now() - (id % 3600) * interval '1 second'
  where ${before};
  insert into receipts (delivery_id, call, run_id, kind, http_status, hash, response_time, results, notable, reason, headers, body,
    body_cut, called_at, answered_at)
  select d.id, 1, d.run_id, 'accepted', 200, '', 0.1,
    (select jsonb_agg(jsonb_build_object('group', g, 'status', 'success', 'inserts', 1, 'warnings', 0)) from jsonb_array_elements_text(m.groups) g),
    false, '', '{}', '{}', false, d.ended_at, d.ended_at
  from deliveries d join members m on m.run_id = d.run_id and m.person_key = d.person_key where d.state = 'done';
  analyze`);

const serve = await start([bin, 'serve', '--port', '0'], production.environment, /Serving on (http:\/\/[^\s,]+)/);
const bare = await start([fileURLToPath(new URL('./support/bare-page.ts', import.meta.url))], {}, /(http:\S+)/);
const link = await makeSignInLink(ledger, 'bench@desk', ['read']);
const cookie = (await askOnce({ url: serve + link, headers: {} })).cookie;
const headers = { cookie, origin: serve, 'content-type': 'application/x-www-form-urlencoded' };
const contestants: Record<string, Asked> = {
  'a bare Fastify route': { url: bare, headers: {} },
  "the run's page": { url: `${serve}/runs/${runId}`, headers },
  'page 500 of its people': { url: `${serve}/runs/${runId}/people?show=everybody&from=${499 * 50}`, headers },
  'a search by name': { url: `${serve}/runs/${runId}/people`, headers, body: `text=Number${people - 7}` },
  Home: { url: `${serve}/`, headers },
};

while ((await sandbox.countCalls()) < 100) await pause(200);

/** Processor time of the server and of PostgreSQL so far, ms. */
const usedTime = (): number =>
  [children[0]?.pid ?? 0, servers.pids.postgres].reduce((sum, pid) => sum + processorTime(pid), 0);

/** What the delivery alone costs, ms of processor time for each ms that passes. */
async function costOfDelivery(): Promise<number> {
  const [used, at] = [usedTime(), performance.now()];
  await pause(seconds * 1000);
  return (usedTime() - used) / (performance.now() - at);
}

const found: Record<string, number[]> = {};
const costs: Record<string, number[]> = {};
for (let round = 0; round < rounds; round += 1) {
  const idle = await costOfDelivery();
  for (const [name, asked] of Object.entries(contestants)) {
    await askOnce(asked);
    const [used, at] = [usedTime(), performance.now()];
    const sent = await askSteadily(asked, { perSecond, forMs: seconds * 1000 });
    const wrong = sent.find(({ status }) => status !== 200);
    if (wrong) throw new Error(`${name}: ${wrong.status}`);
    (costs[name] ??= []).push((usedTime() - used - idle * (performance.now() - at)) / sent.length);
    (found[name] ??= []).push(
      percentile(
        sent.map(({ ms }) => ms),
        0.95,
      ),
    );
  }
}

/** Calls a second that reach the service. */
async function paceFor(forMs: number): Promise<number> {
  const [from, at] = [await sandbox.countCalls(), performance.now()];
  await pause(forMs);
  return (((await sandbox.countCalls()) - from) * 1000) / (performance.now() - at);
}

// Without, with, with, without: what changes evenly with time, such as the size of the ledger, falls on both alike.
const paces: number[] = [];
const alone: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const counts = { without: 0, with: 0 };
  for (const kind of ['without', 'with', 'with', 'without'] as const) {
    const page = kind === 'with' ? contestants["the run's page"] : undefined;
    const watched = page && askSteadily(page, { perSecond, forMs: seconds * 1000 });
    counts[kind] += (await paceFor(seconds * 1000)) / 2;
    await watched;
  }
  alone.push(counts.without);
  paces.push(counts.with / counts.without);
}
const { bytes } = await askOnce(contestants["the run's page"] ?? { url: serve, headers });
const bareMs = median(found['a bare Fastify route'] ?? []);
const of = `${people} people, of whom three fifths are delivered and the rest is being delivered at ${rate}/s; ${perSecond} requests a second for ${seconds} s`;
printFigures('The pages of a large run, in production mode', [
  ...Object.entries(found).map(([name, values]) => ({
    name: `p95 of the first byte: ${name}`,
    ...{ values, unit: ' ms', bound: 'most' as const },
    ...(name !== 'a bare Fastify route' && { must: 100, aim: 40 }),
    of: `${of}; ${(median(values) / bareMs).toFixed(1)} times the bare route`,
  })),
  ...Object.entries(costs).map(([name, values]) => {
    return { name: `processor time of one: ${name}`, values, unit: ' ms', bound: 'most' as const, of };
  }),
  { name: "the run's page, uncompressed", values: [bytes / 1000], unit: ' KB', must: 100, bound: 'most', of },
  { name: 'pace without the page', values: alone, unit: '/s', of },
  { name: 'pace with the page asked for, of that without', values: paces, must: 0.98, bound: 'least', of },
]);
await production.close();
for (const child of children) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
sandbox.stop();
await servers.stop();
