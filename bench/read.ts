/**
 * Rows per second and peak memory of reading CSV to validated, mapped members, beside raw papaparse without headers on
 * the same file. Each run is a process of its own; medians of alternating rounds. Exits 1 when it is below a quarter
 * of the speed of raw papaparse, or when ten times the rows take more than 1.2 times the memory.
 *
 *   node bench/read.ts [--few 100000] [--many 1000000] [--rounds 5]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, printFigures } from './support/figure.ts';
import { writePeople } from './support/people-file.ts';
import type { Reading } from './support/read-people.ts';

const { values } = parseArgs({
  options: {
    few: { type: 'string', default: '100000' },
    many: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
  },
});
const [few, many, rounds] = [Number(values.few), Number(values.many), Number(values.rounds)];
const folder = mkdtempSync(join(tmpdir(), 'roster-sync-read-'));

async function run(how: 'ours' | 'raw', path: string, count: number): Promise<Reading> {
  const child = fork(join(import.meta.dirname, 'support/read-people.ts'), [how, path]);
  const [reading] = (await once(child, 'message')) as [Reading];
  await once(child, 'exit');
  const members = how === 'ours' ? count : 0;
  if (reading.rows !== count || reading.members !== members) {
    throw new Error(`${how} gave ${reading.rows} rows and ${reading.members} members of ${count}`);
  }
  return reading;
}

try {
  const peaks = new Map<number, number[]>();
  for (const count of [few, many]) {
    const path = join(folder, `${count}.csv`);
    await writePeople(path, count);
    const ours: Reading[] = [];
    const raw: Reading[] = [];
    // The first round fills the file system's cache and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const both = [await run('ours', path, count), await run('raw', path, count)] as const;
      if (round === 0) continue;
      ours.push(both[0]);
      raw.push(both[1]);
    }
    peaks.set(
      count,
      ours.map(({ peakMegabytes }) => peakMegabytes),
    );
    const perSecond = (all: Reading[]): number => count / median(all.map(({ seconds }) => seconds));
    const megabytes = statSync(path).size / 1e6;
    printFigures(`${count} rows, ${megabytes.toFixed(0)} MB, ${rounds} rounds`, [
      {
        name: 'rows per second, of raw papaparse without headers',
        values: ours.map(({ seconds }, at) => (raw[at]?.seconds ?? Number.NaN) / seconds),
        ...{ must: 0.25, aim: 0.5, bound: 'least' },
        of: `${Math.round(perSecond(ours))} rows/s to validated, mapped members; raw ${Math.round(perSecond(raw))} rows/s`,
      },
      {
        name: 'the same by processor time, which other programs disturb less',
        values: ours.map((each, at) => (raw[at]?.processorSeconds ?? Number.NaN) / each.processorSeconds),
        of: 'with what it takes to start a process',
      },
      {
        name: 'peak memory',
        values: ours.map(({ peakMegabytes }) => peakMegabytes),
        unit: ' MB',
        of: `raw papaparse ${median(raw.map(({ peakMegabytes }) => peakMegabytes)).toFixed(0)} MB`,
      },
    ]);
  }
  const [small = [], large = []] = peaks.values();
  printFigures(`\nmemory for ${many} rows of that for ${few}`, [
    {
      name: 'peak memory, many rows of few',
      values: [median(large) / median(small)],
      ...{ must: 1.2, bound: 'most' },
      of: `${median(large).toFixed(0)} MB of ${median(small).toFixed(0)} MB, medians`,
    },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
