/**
 * How long a person waits who begins: `import` of 200 rows as a dry run where there is no data directory, the first `import`
 * into a new one until its first call, and `runs`. Each as a ratio to a script that opens an existing PGlite and asks
 * `select 1`. Whole processes of the checkout, or with --packed of the packed and installed package; medians of alternating
 * rounds. Then `demo`, once, in seconds. Exits 1 when a bound does not hold.
 *
 *   node bench/first-use.ts [--rounds 9] [--packed]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Figure, printFigures } from './support/figure.ts';
import { installPackage, run } from './support/packed-bin.ts';
import { writePeople } from './support/people-file.ts';
import { startSandbox } from '../src/sandbox/index.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, packed: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'roster-sync-first-use-'));
const roster = join(folder, 'people.csv');
const selectOne = fileURLToPath(import.meta.resolve('./support/select-one.ts'));
const columns = ['--group-column', 'Department'];

/** A folder to work in, and the environment of a command there: nothing of whoever starts the bench but the path. */
function place(name: string, service = 'http://127.0.0.1:9'): { cwd: string; env: NodeJS.ProcessEnv } {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  const { PATH = '', HOME = folder } = process.env;
  return { cwd, env: { PATH, HOME, ROSTER_SYNC_BASE_URL: service, ROSTER_SYNC_TOKEN: 'bm9ib2R5' } };
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The first import into a new data directory, until the first request arrives; then it is ended. */
async function untilFirstCall(bin: string, round: number): Promise<number> {
  const service = createServer().listen(0, '127.0.0.1');
  await once(service, 'listening');
  const address = service.address() as { port: number };
  const { cwd, env } = place(`first-${round}`, `http://127.0.0.1:${address.port}`);
  const arrived = once(service, 'request');
  const start = performance.now();
  const child = spawn(process.execPath, [bin, 'import', roster, ...columns, '--yes'], { cwd, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await Promise.race([arrived, ended.then(() => Promise.reject(new Error('the import ended without a call')))]);
  const time = performance.now() - start;
  child.kill('SIGKILL');
  await ended;
  service.closeAllConnections();
  service.close();
  rmSync(cwd, { recursive: true, force: true });
  return time;
}

try {
  await writePeople(roster, 200);
  const bin = values.packed ? installPackage(folder) : join(import.meta.dirname, '../bin/roster-sync.cjs');
  const sandbox = await startSandbox({ record: 'totals', faults: [] });
  const known = place('known', sandbox.url);
  const command = (...words: string[]) => run(process.execPath, [bin, ...words], known.cwd, known.env);
  command('import', roster, ...columns, '--baseline', '--yes', '--quiet');
  await sandbox.close();
  const none = place('none');
  const cases = {
    raw: () => timed(() => run(process.execPath, [selectOne, '.roster-sync/ledger'], known.cwd)),
    dryRun: () =>
      timed(() => run(process.execPath, [bin, 'import', roster, ...columns, '--dry-run'], none.cwd, none.env)),
    firstCall: (round: number) => untilFirstCall(bin, round),
    runs: () => timed(() => command('runs')),
  };
  const times = { raw: [] as number[], dryRun: [] as number[], firstCall: [] as number[], runs: [] as number[] };
  // The first round fills caches and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['raw', 'dryRun', 'firstCall', 'runs'] as const) {
      const time = await cases[name](round);
      if (round > 0) times[name].push(time);
    }
  }
  const demo = await timed(() => run(process.execPath, [bin, 'demo'], none.cwd, none.env));
  const figure = (name: string, of: readonly number[], bounds: Pick<Figure, 'must' | 'aim'>): Figure => ({
    name,
    values: of.map((time, at) => time / (times.raw[at] ?? Number.NaN)),
    ...bounds,
    bound: 'most',
    of: `${of.map((time) => time.toFixed(0)).join(', ')} ms; raw ${times.raw.map((time) => time.toFixed(0)).join(', ')} ms`,
  });
  printFigures(`First use of the ${values.packed ? 'package' : 'checkout'}, of 200 rows`, [
    figure('import --dry-run without a data directory, of a script that asks `select 1`', times.dryRun, {
      must: 3,
      aim: 2,
    }),
    figure('the first import until its first call', times.firstCall, { must: 5, aim: 3 }),
    figure('runs', times.runs, { must: 2, aim: 1.5 }),
    {
      name: 'demo, with a template that is there',
      values: [demo / 1000],
      unit: ' s',
      must: 10,
      aim: 8,
      bound: 'most',
      of: '4 s of it are the pace',
    },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
