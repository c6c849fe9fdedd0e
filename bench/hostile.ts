/**
 * Cells, names of columns and groups, and events of a megabyte, each of what scans can be slow about: the longest turn of the event loop of an
 * import, and of `serve` that takes an upload or an event of them; beside papaparse or `JSON.parse`, which takes the same text in one go. What the same
 * process does with an ordinary roster comes first and is not counted, so that no code has still to be loaded and compiled.
 *
 *   node bench/hostile.ts [--rounds 3]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import papaparse from 'papaparse';
import { loadConfig } from '../config/load.ts';
import { runSource } from '../jobs/run/run-source.ts';
import { openContext } from '../src/wiring/context.ts';
import { createLogger } from '../src/process/logger.ts';
import { openRoster } from '../src/roster/open-roster.ts';
import { removeAtExit } from '../test/support/server-process.ts';
import { hostileTexts } from '../test/support/hostile-texts.ts';
import { printFigures } from './support/figure.ts';
import { hookKey } from './support/hook-sender.ts';
import { type Turns, watchTurns } from './support/loop-turns.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const rounds = Number(values.rounds);
/** A record may have a million characters; the rest of a row, or of an event, needs some too. */
const length = 1_000_000;
const bin = join(import.meta.dirname, '../bin/roster-sync.cjs');
const preload = fileURLToPath(new URL('./support/delay-process.ts', import.meta.url));
const header = ['Employee ID', 'First Name', 'Last Name', 'Work Email', 'Mobile Phone', 'Department'];

/** The longest turns of the event loop of `serve`, since it was last asked to start again. */
async function longestTurns(child: ChildProcess): Promise<Turns> {
  child.send('read');
  const [turns] = (await once(child, 'message')) as [Turns];
  return turns;
}

function csvOf(rows: readonly (readonly string[])[]): string {
  return papaparse.unparse(rows.map((row) => [...row]));
}

const person = (id: number): string[] => [
  String(id),
  'Ann',
  'Lee',
  `person.${id}@example.com`,
  '+45 20 12 34 56',
  'Sales',
];
const ordinary = csvOf([header, ...Array.from({ length: 2000 }, (_, id) => person(id))]);

/** Rosters by what is hostile in them: each cell of a row in turn, and the name of a column. */
function hostileRosters(text: string): Map<string, string> {
  const rows = header.map((_, at) => person(at).with(at, text));
  return new Map([
    ['cells', csvOf([header, ...rows, person(9)])],
    [
      'names of columns',
      csvOf([
        [...header, text],
        [...person(9), 'x'],
      ]),
    ],
  ]);
}

function environmentOf(folder: string): Record<string, string> {
  return {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder },
    ...{ ROSTER_SYNC_BASE_URL: 'http://127.0.0.1:9', ROSTER_SYNC_TOKEN: 'dXNlcjpwYXNzd29yZA==' },
  };
}

function makePlace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rs-bench-hostile-'));
  removeAtExit(folder);
  writeFileSync(
    join(folder, 'roster-sync.yaml'),
    `sources:
  staff:
    groups: [{ column: Department, split: ";" }]
    webhook: { preset: bamboohr, secret: ${hookKey}, quiet: 1h, longest: 2h }
`,
  );
  return folder;
}

/** Starts `serve` with a token for its API. */
async function serve(folder: string): Promise<{ child: ChildProcess; url: string; token: string }> {
  const options = { cwd: folder, env: environmentOf(folder) };
  const words = ['token', 'create', '--name', 'bench', '--scope', 'run,read', '--json'];
  const made = spawn(process.execPath, [bin, ...words], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  for await (const piece of made.stdout.setEncoding('utf8')) printed += String(piece);
  const { token } = JSON.parse(printed) as { token: string };
  const child = spawn(process.execPath, ['--import', preload, bin, 'serve', '--port', '0'], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => (said = (said + piece).slice(-10_000)));
  for (;;) {
    const [, url] = /Serving on (http:\/\/[^\s,]+)/.exec(said) ?? [];
    if (url !== undefined) return { child, url, token };
    if (child.exitCode !== null) throw new Error(`serve has ended:\n${said}`);
    await pause(50);
  }
}

/** Uploads a roster, and waits until it is planned, held or refused. */
async function upload({ url, token }: { url: string; token: string }, text: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
  const path = `${url}/api/v1/runs/upload?source=staff&file=staff.csv`;
  const started = await fetch(path, { method: 'POST', headers, body: text });
  const { run, title } = (await started.json()) as { run?: string; title?: string };
  if (run === undefined && started.status !== 422) throw new Error(`${started.status} ${title}`);
  for (let status = run === undefined ? '' : 'planning'; status === 'planning'; await pause(20)) {
    const answer = await fetch(`${url}/api/v1/runs/${run}`, { headers });
    ({ status } = (await answer.json()) as { status: string });
  }
}

/** Posts an event, signed as BambooHR does. */
async function post(url: string, body: string): Promise<void> {
  const at = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', hookKey).update(body).update(at).digest('hex');
  const headers = { 'x-bamboohr-timestamp': at, 'x-bamboohr-signature': signature, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/hooks/staff`, { method: 'POST', headers, body });
  if (answer.status >= 500) throw new Error(`the event was answered ${answer.status}`);
  await answer.text();
}

function eventOf(text: string): string {
  return JSON.stringify({ type: text, timestamp: text, data: { employeeId: text, changedFields: [text] } });
}

/** The longest part of a text of which an event of a megabyte can be made. */
function fitting(text: string): string {
  return text.slice(0, Math.floor((text.length * length) / Buffer.byteLength(eventOf(text))) - 100);
}

/** Imports a roster as a command does, in this process. */
async function openImporting(folder: string): Promise<(text: string) => Promise<Turns>> {
  const config = loadConfig({ environment: environmentOf(folder), cwd: folder });
  const context = await openContext({ config, log: createLogger({ quiet: true }), command: 'bench', create: true });
  const delivery = await context.openDelivery(config.delivery.rate);
  const file = join(folder, 'staff.csv');
  return async (text) => {
    writeFileSync(file, text);
    const read = watchTurns();
    const roster = await openRoster(file).catch(() => undefined);
    if (roster) await runSource(delivery, { source: 'staff', trigger: 'import', roster });
    await roster?.close();
    return read();
  };
}

/** The processor time of one thing that cannot be interrupted, ms. */
function timed(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The longest of a round by where it came in and what it was, and the raw parser's longest. */
interface Round {
  held: ({ where: string; what: string } & Turns)[];
  raw: number;
}

async function oneRound(): Promise<Round> {
  const held: Round['held'] = [];
  let raw = 0;
  const importing = await openImporting(makePlace());
  const folder = makePlace();
  const server = await serve(folder);
  for (let warmUp = 0; warmUp < 2; warmUp++) {
    await importing(ordinary);
    await upload(server, ordinary);
    await post(server.url, eventOf(`employee.updated.${warmUp}`));
  }
  const measure = async (where: string, what: string, work: () => Promise<void>): Promise<void> => {
    server.child.send('reset');
    await work();
    await pause(50);
    held.push({ where, what, ...(await longestTurns(server.child)) });
  };
  for (const [name, text] of hostileTexts(length)) {
    for (const [kind, roster] of hostileRosters(text)) {
      raw = Math.max(
        raw,
        timed(() => papaparse.parse(roster)),
      );
      held.push({ where: `import, ${kind}`, what: name, ...(await importing(roster)) });
      await measure(`upload, ${kind}`, name, () => upload(server, roster));
    }
    const event = eventOf(fitting(text));
    raw = Math.max(
      raw,
      timed(() => JSON.parse(event)),
    );
    await measure('event', name, () => post(server.url, event));
  }
  server.child.kill('SIGKILL');
  return { held, raw };
}

const all: Round[] = [];
for (let round = 0; round < rounds; round += 1) all.push(await oneRound());
const longest = ({ held }: Round, where: string) =>
  held.filter((each) => each.where.startsWith(where)).reduce((a, b) => (b.processor > a.processor ? b : a));
const [first] = all;
if (!first) throw new Error('no round');
printFigures(
  `Texts of a megabyte, ${hostileTexts(1).size} kinds, ${rounds} rounds`,
  [...new Set(first.held.map(({ where }) => where))].map((where) => {
    const most = all.map((round) => longest(round, where));
    const ratios = all.map(({ raw }, at) => ((most[at]?.processor ?? 0) / raw).toFixed(2));
    return {
      name: `the longest turn of the event loop, in processor time: ${where}`,
      values: most.map(({ processor }) => processor),
      ...{ unit: ' ms', must: 100, aim: 30, bound: 'most' as const },
      of: `${most[0]?.what}; by the clock ${most[0]?.clock.toFixed(0)} ms; of a raw parser's longest: ${ratios.join(', ')} (${all.map(({ raw }) => raw.toFixed(0)).join(', ')} ms)`,
    };
  }),
);
process.exit();
