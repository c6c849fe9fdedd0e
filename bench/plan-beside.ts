/**
 * A file of 100,000 rows that somebody brings on the page while another run delivers at 50/s from the embedded ledger: the pace
 * of that delivery meanwhile, of its pace before; and how long `/healthz` takes, asked ten times a second. Other programs keep
 * the machine busy beside it, as many as asked for.
 *
 *   node bench/plan-beside.ts [--people 100000] [--busy 16] [--rounds 3]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openAsBlob, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { removeAtExit } from '../test/support/server-process.ts';
import { askOnce, askSteadily, type Got } from './support/ask-steadily.ts';
import { median, printFigures } from './support/figure.ts';
import { writePeople } from './support/people-file.ts';
import { startSandboxServer } from './support/sandbox-server.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    busy: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
  },
});
const [people, busy, rounds] = [Number(values.people), Number(values.busy), Number(values.rounds)];
const rate = 50;
const aloneMs = 20_000;
const bin = join(import.meta.dirname, '../bin/roster-sync.cjs');
const children: ChildProcess[] = [];
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

const sandbox = await startSandboxServer();
for (let nth = 0; nth < busy; nth += 1) {
  children.push(spawn(process.execPath, ['--eval', 'for (;;) Math.random();'], { stdio: 'ignore' }));
}

/** A folder with a roster that takes longer to deliver than the file to plan. */
async function makePlace(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rs-bench-beside-'));
  removeAtExit(folder);
  await writePeople(join(folder, 'staff.csv'), 60_000);
  const rows = Array.from({ length: people }, (_, at) => `Ann ${at},Ek,ann.${at}@large.example,Group ${at % 20}\n`);
  writeFileSync(join(folder, 'large.csv'), `firstname,lastname,email,groups\n${rows.join('')}`);
  writeFileSync(join(folder, 'roster-sync.yaml'), `delivery: { rate: { limit: ${rate}, per: 1s }, canary: false }\n`);
  return folder;
}

function start(folder: string, ...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [bin, ...words], {
    ...{ cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    env: {
      ...{ PATH: process.env['PATH'], HOME: folder },
      ...{ ROSTER_SYNC_BASE_URL: sandbox.url, ROSTER_SYNC_TOKEN: sandbox.token },
    },
  });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Leaves a run that delivers, as a killed import does: it is resumed on the page. */
async function leaveDelivering(folder: string): Promise<void> {
  const child = start(folder, 'import', 'staff.csv', '--source', 'staff', '--group-column', 'Department', '--yes');
  child.stdout?.resume();
  child.stderr?.resume();
  while ((await sandbox.countCalls()) === 0) {
    if (child.exitCode !== null) throw new Error('the import has ended');
    await pause(100);
  }
  await kill(child);
}

/** Starts the pages, signed in. */
async function open(folder: string): Promise<{ child: ChildProcess; url: string; cookie: string; left: string }> {
  const child = start(folder, 'open', '--no-browser', '--port', '0');
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (said += text));
  for (;;) {
    const [link, url = ''] = /(http:\/\/[^/\s]+)\/\S+/.exec(said) ?? [];
    const [, left = ''] = /Run (\S+) was interrupted/.exec(said) ?? [];
    if (link !== undefined) return { child, url, cookie: (await askOnce({ url: link, headers: {} })).cookie, left };
    if (child.exitCode !== null) throw new Error(`it has ended:\n${said}`);
    await pause(50);
  }
}

interface Round {
  alone: number;
  beside: number;
  planningMs: number;
  health: Got[];
}

async function round(): Promise<Round> {
  await sandbox.clear();
  const folder = await makePlace();
  await leaveDelivering(folder);
  const { child, url, cookie, left } = await open(folder);
  const headers = { cookie, origin: url };

  /** Follows where the page leads, and says where that is. */
  async function post(path: string, body: FormData | URLSearchParams): Promise<string> {
    const answer = await fetch(url + path, { method: 'POST', headers, body, redirect: 'manual' });
    const to = answer.headers.get('location');
    if (to === null) throw new Error(`${path}: ${answer.status}\n${(await answer.text()).slice(0, 2000)}`);
    return to;
  }
  async function callsIn(during: () => Promise<unknown>): Promise<{ pace: number; ms: number }> {
    const [from, at] = [await sandbox.countCalls(), performance.now()];
    await during();
    const ms = performance.now() - at;
    return { pace: (((await sandbox.countCalls()) - from) * 1000) / ms, ms };
  }

  await post(`/runs/${left}/resume`, new URLSearchParams());
  while ((await sandbox.countCalls()) < rate * 10) await pause(200);
  const alone = await callsIn(() => pause(aloneMs));
  const asked = { url: `${url}/healthz`, headers: {} };
  let isOver = false;
  const watched = (async () => {
    const health: Got[] = [];
    while (!isOver) health.push(...(await askSteadily(asked, { perSecond: 10, forMs: 1000 })));
    return health;
  })();
  const beside = await callsIn(async () => {
    const form = new FormData();
    form.set('source', '');
    form.set('file', await openAsBlob(join(folder, 'large.csv')), 'large.csv');
    const upload = await post('/import', form);
    const rest = new URLSearchParams({ do: 'people', rows: String(people) });
    for (let to = await post(upload, rest); !to.endsWith('/people');) {
      if (!to.endsWith('/planning')) throw new Error(`planning led to ${to}`);
      await pause(500);
      const answer = await fetch(url + to, { headers, redirect: 'manual' });
      await answer.text();
      to = answer.headers.get('location') ?? to;
    }
  });
  isOver = true;
  const health = await watched;
  await kill(child);
  return { alone: alone.pace, beside: beside.pace, planningMs: beside.ms, health };
}

const all: Round[] = [];
for (let nth = 0; nth < rounds; nth += 1) all.push(await round());
const times = all.map(({ health }) => Math.max(...health.map(({ ms }) => ms)));
const wrong = all.flatMap(({ health }) => health).filter(({ status }) => status !== 200).length;
const of = `${people} rows read and planned in ${(median(all.map(({ planningMs }) => planningMs)) / 1000).toFixed(0)} s, ${busy} busy programs beside it`;
const shares = all.map(({ alone, beside }) => beside / alone);
printFigures('A large file on the page while another run delivers, embedded', [
  { name: 'pace before', values: all.map(({ alone }) => alone), unit: '/s', of: `the limit is ${rate}/s` },
  { name: 'pace meanwhile', values: all.map(({ beside }) => beside), unit: '/s', of },
  { name: 'pace meanwhile, of that before', values: shares, must: 0.98, bound: 'least', of },
  {
    name: 'the slowest /healthz',
    values: times,
    unit: ' ms',
    must: 100,
    bound: 'most',
    of: `${of}; ${wrong} other than 200`,
  },
]);
for (const child of children) child.kill('SIGKILL');
sandbox.stop();
