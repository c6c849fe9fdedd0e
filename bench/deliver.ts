/**
 * Calls per second of the real command line importing made-up people, beside raw undici calls at the same concurrency
 * against the same sandbox, which runs in a process of its own. Medians of alternating rounds.
 *
 *   node bench/deliver.ts [--embedded] [--people 2000] [--concurrency 10] [--rounds 5] [--latency 0]
 *
 * With `--production`, a worker on Redis and PostgreSQL beside a raw BullMQ worker that records nothing and a plain
 * script; servers and service run in processes of their own. With `--profile FOLDER`, a processor profile of the worker.
 *
 *   node bench/deliver.ts --production --people 20000 --concurrency 50 --latency 0,20 [--rounds 5] [--profile FOLDER]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureProduction } from './support/deliver-production.ts';
import { runMetered, type Run } from './support/metered-process.ts';
import { rosterOf } from './support/people.ts';

const { values } = parseArgs({
  options: {
    embedded: { type: 'boolean', default: true },
    people: { type: 'string', default: '2000' },
    concurrency: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    latency: { type: 'string', default: '0' },
    production: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
if (values.production) {
  await measureProduction({
    people: Number(values.people),
    concurrency: Number(values.concurrency),
    rounds: Number(values.rounds),
    latencies: values.latency.split(',').map(Number),
    ...(values.profile === undefined ? {} : { profile: values.profile }),
  });
  process.exit();
}
const [people, rounds] = [Number(values.people), Number(values.rounds)];
const folder = mkdtempSync(join(tmpdir(), 'roster-sync-deliver-'));
const roster = join(folder, 'people.csv');
writeFileSync(roster, rosterOf(people));

const sandbox = fork(fileURLToPath(new URL('./support/sandbox-process.ts', import.meta.url)), [values.latency]);
const [{ url, token }] = (await once(sandbox, 'message')) as [{ url: string; token: string }];

function importInto(dataDir: string): Promise<Run> {
  const bin = join(import.meta.dirname, '../bin/roster-sync.cjs');
  return runMetered([bin, 'import', roster, '--all', '--yes', '--quiet', '--json'], {
    ROSTER_SYNC_BASE_URL: url,
    ROSTER_SYNC_TOKEN: token,
    ROSTER_SYNC_DATA_DIR: dataDir,
    ROSTER_SYNC__DELIVERY__CONCURRENCY: values.concurrency,
    ROSTER_SYNC__DELIVERY__RATE__LIMIT: '100000',
    // The second import of the same people has warnings that nobody has seen yet.
    ROSTER_SYNC__DELIVERY__CANARY: 'false',
  });
}

/** What is measured, in the order of a round; each with a data directory of the round's own. */
const cases: Record<string, (dataDir: string) => Promise<Run>> = {
  'raw undici': () =>
    runMetered([
      fileURLToPath(new URL('./support/raw-calls.ts', import.meta.url)),
      url,
      token,
      values.people,
      values.concurrency,
    ]),
  'embedded, new directory': importInto,
  'embedded, existing one': importInto,
};

const runs = new Map<string, Run[]>(Object.keys(cases).map((name) => [name, []]));
try {
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries(cases)) {
      const ran = await run(join(folder, `data-${round}`));
      if (ran.calls !== people) throw new Error(`${name} made ${ran.calls} calls for ${people} people`);
      runs.get(name)?.push(ran);
    }
    rmSync(join(folder, `data-${round}`), { recursive: true, force: true });
  }
  report();
} finally {
  sandbox.disconnect();
  rmSync(folder, { recursive: true, force: true });
}

function median(of: readonly Run[], figure: (run: Run) => number): number {
  return of.map(figure).toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN;
}

function report(): void {
  const perSecond = (run: Run): number => (run.calls / (run.lastAnswerAt - run.firstCallAt)) * 1000;
  const baseline = median(runs.get('raw undici') ?? [], perSecond);
  console.log(
    `${people} people, concurrency ${values.concurrency}, the service takes ${values.latency} ms; ` +
      `Node ${process.versions.node}, median of ${rounds}\n`,
  );
  console.log(
    ['', 'calls/s', 'of raw', 'CPU ms/call', 'first call', 'closing', 'whole']
      .map((text, at) => pad(text, at))
      .join(''),
  );
  for (const [name, of] of runs) {
    const rate = median(of, perSecond);
    const figures = [
      rate.toFixed(0),
      (rate / baseline).toFixed(3),
      median(of, (run) => (run.cpuAtLastAnswer - run.cpuAtFirstCall) / run.calls).toFixed(2),
      `${median(of, (run) => run.firstCallAt).toFixed(0)} ms`,
      `${median(of, (run) => run.wholeMs - run.lastAnswerAt).toFixed(0)} ms`,
      `${median(of, (run) => run.wholeMs).toFixed(0)} ms`,
    ];
    console.log([name, ...figures].map((text, at) => pad(text, at)).join(''));
  }
}

function pad(text: string, at: number): string {
  return at === 0 ? text.padEnd(24) : text.padStart(13);
}
