/**
 * Time and memory of planning a roster in which nobody has changed, embedded and on PostgreSQL, beside raw papaparse
 * without headers on the same file; and the calls that would be sent then, and when one in a hundred changed. Each run is
 * a process of its own; medians of alternating rounds. Exits 1 when a bound of the issue does not hold.
 *
 *   node bench/plan.ts [--few 100000] [--people 1000000] [--rounds 3] [--only postgres|embedded]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, printFigures } from './support/figure.ts';
import { writePeople } from './support/people-file.ts';
import type { Planning } from './support/plan-people.ts';
import type { Reading } from './support/read-people.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    few: { type: 'string', default: '100000' },
    people: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const [few, many, rounds] = [Number(values.few), Number(values.people), Number(values.rounds)];
const folder = mkdtempSync(join(tmpdir(), 'roster-sync-plan-'));
/** One in so many changed. */
const changedEvery = 100;

/** Where ledgers are, and what must hold there. */
const homes = [
  { name: 'PostgreSQL', key: 'postgres', must: 6, aim: 4 },
  { name: 'embedded', key: 'embedded', must: 8, aim: 6 },
].filter(({ key }) => values.only === undefined || values.only === key);

async function inProcess<Result>(script: string, args: string[], env: Record<string, string> = {}): Promise<Result> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(ROSTER_SYNC|REDIS_URL|DATABASE_URL)/.test(name));
  const child = fork(join(import.meta.dirname, 'support', script), args, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...env },
  });
  const exit = once(child, 'exit');
  const [result] = (await Promise.race([once(child, 'message'), exit.then(() => [])])) as [Result?];
  await exit;
  if (result === undefined) throw new Error(`${script} ${args.join(' ')} ended without a result`);
  return result;
}

/** What one home took for a roster of so many people. */
interface Measured {
  count: number;
  seconds: number[];
  raw: number[];
  peaks: number[];
  calls: number;
  callsOfChanged: number;
}

async function measure(count: number, environment: Record<string, string>): Promise<Measured> {
  const [same, changed] = [join(folder, 'staff.csv'), join(folder, 'changed.csv')];
  await writePeople(same, count);
  await writePeople(changed, count, changedEvery);
  await inProcess<Planning>('plan-people.ts', ['given', same], environment);
  const measured: Measured = { count, seconds: [], raw: [], peaks: [], calls: 0, callsOfChanged: 0 };
  // The first round fills caches and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await inProcess<Planning>('plan-people.ts', ['plan', same], environment);
    const raw = await inProcess<Reading>('read-people.ts', ['raw', same]);
    if (ours.unchanged + ours.calls !== count || raw.rows !== count) throw new Error('not everybody was planned');
    if (ours.guards.length > 0) throw new Error(`held by ${ours.guards.join(', ')}`);
    measured.calls = Math.max(measured.calls, ours.calls);
    if (round === 0) continue;
    measured.seconds.push(ours.seconds);
    measured.raw.push(raw.seconds);
    measured.peaks.push(ours.peakMegabytes);
  }
  measured.callsOfChanged = (await inProcess<Planning>('plan-people.ts', ['plan', changed], environment)).calls;
  return measured;
}

const servers = values.only === 'embedded' ? undefined : await startServers();
try {
  for (const { name, key, must, aim } of homes) {
    const all: Measured[] = [];
    for (const count of [few, many]) {
      await servers?.reset();
      const dataDir = join(folder, `${key}-${count}`);
      const environment = {
        ROSTER_SYNC_DATA_DIR: dataDir,
        ...(key === 'postgres' && servers ? { DATABASE_URL: servers.databaseUrl } : {}),
      };
      all.push(await measure(count, environment));
      rmSync(dataDir, { recursive: true, force: true });
    }
    const megabytes = statSync(join(folder, 'staff.csv')).size / 1e6;
    const [small, large] = all;
    if (!small || !large) continue;
    const changed = Math.ceil(large.count / changedEvery) - 1;
    printFigures(`${name}: ${large.count} people, ${megabytes.toFixed(0)} MB, ${rounds} rounds`, [
      {
        name: 'time to plan an unchanged roster, of raw papaparse',
        values: large.seconds.map((seconds, at) => seconds / (large.raw[at] ?? Number.NaN)),
        ...{ must, aim, bound: 'most' },
        of: `${median(large.seconds).toFixed(1)} s; raw ${median(large.raw).toFixed(1)} s (${small.count}: ${median(small.seconds).toFixed(1)} s; raw ${median(small.raw).toFixed(2)} s)`,
      },
      {
        name: `peak memory, of that for ${small.count}`,
        values: [median(large.peaks) / median(small.peaks)],
        ...(key === 'postgres' && { must: 1.2, aim: 1.05, bound: 'most' }),
        of: `${median(large.peaks).toFixed(0)} MB of ${median(small.peaks).toFixed(0)} MB, medians`,
      },
      {
        name: 'peak memory of the process itself',
        values: large.peaks,
        unit: ' MB',
        ...(key === 'postgres' && { must: 400, aim: 250, bound: 'most' }),
        of: key === 'postgres' ? 'without the database’s own' : 'with the database in it',
      },
      { name: 'calls for an unchanged roster', values: [large.calls], ...{ must: 0, bound: 'most' }, of: 'planned' },
      {
        name: `calls when one in ${changedEvery} changed, more or fewer than those`,
        values: [Math.abs(large.callsOfChanged - changed)],
        ...{ must: 0, bound: 'most' },
        of: `${large.callsOfChanged} of ${changed}`,
      },
    ]);
  }
} finally {
  await servers?.stop();
  rmSync(folder, { recursive: true, force: true });
}
