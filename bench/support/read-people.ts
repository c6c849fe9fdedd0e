/** Reads a roster in a process of its own: `ours` to validated, mapped members, `raw` with papaparse alone. Sends what it took. */
import { readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { mapRow } from '../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../src/core/mapping/mapping.ts';
import { isReject } from '../../src/core/rows/row.ts';
import { openRoster } from '../../src/roster/open-roster.ts';

/** What reading a roster took. */
export interface Reading {
  rows: number;
  members: number;
  seconds: number;
  /** Of all its threads. */
  processorSeconds: number;
  /** The most memory that the process held at a time, in MB. */
  peakMegabytes: number;
}

async function ours(file: string): Promise<Pick<Reading, 'rows' | 'members'>> {
  const roster = await openRoster(file);
  const { header } = roster.form;
  const mapping = resolveColumns(header, { groups: ['All staff'], groupColumns: ['Department'], file });
  let rows = 0;
  let members = 0;
  for await (const batch of roster.batches()) {
    rows += batch.length;
    for (const row of batch) if (!isReject(row) && 'member' in mapRow(row, mapping)) members++;
  }
  await roster.close();
  return { rows, members };
}

/** papaparse at its fastest: whole lines at a time, the form given, nothing kept. */
function raw(file: string): Pick<Reading, 'rows' | 'members'> {
  const text = readFileSync(file, 'utf8');
  let rows = -1;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', Math.min(at + 64 * 1024, text.length - 1)) + 1 || text.length;
    const block = text.slice(at, end).trimEnd();
    rows += Papa.parse<string[]>(block, { header: false, delimiter: ',', newline: '\r\n' }).data.length;
    at = end;
  }
  return { rows, members: 0 };
}

const [how = '', file = ''] = process.argv.slice(2);
const begin = performance.now();
const read = how === 'raw' ? raw(file) : await ours(file);
const { user, system } = process.cpuUsage();
const seconds = (performance.now() - begin) / 1000;
process.send?.({
  ...read,
  seconds,
  processorSeconds: (user + system) / 1e6,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
} satisfies Reading);
