import assert from 'node:assert/strict';
import { mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import papaparse from 'papaparse';
import { InputError } from '../../src/core/errors.ts';
import { checkReportPath, writeReport } from '../../src/page/report-file.ts';
import { reportColumns, type ReportRow, type ReportSource } from '../../src/report/run/run-report.ts';
import { exampleReport } from './examples.ts';
import { runnableCell, read } from '../roster/reading.ts';

const row: ReportRow = {
  email: 'ase@example.com',
  firstname: 'Åse',
  lastname: 'Lindqvist, "the first"',
  group: 'Sales',
  action: 'new',
  outcome: 'succeeded',
  status: 'success',
  inserts: 1,
  warnings: 0,
  attempts: 1,
  repeated: false,
  hash: '0cc175b9c0f1b6a831c399e269772661',
  responseTime: 0.034,
  httpStatus: 200,
  reason: '',
};
const unknown: ReportRow = {
  ...row,
  outcome: 'unknown',
  status: null,
  inserts: null,
  warnings: null,
  hash: null,
  responseTime: null,
  httpStatus: null,
  reason: 'reset\nafter the request',
};

const done = exampleReport();
const details = { approvals: [{ at: '2026-01-05T10:00:00.000Z', by: 'eva@desk', note: 'as agreed' }], noticed: [] };

/** A report with these rows. */
function sourceOf(rows: () => AsyncIterable<ReportRow>): ReportSource {
  return { report: done, details, rows };
}

function rowsOf(...rows: ReportRow[]): ReportSource {
  return sourceOf(async function* () {
    yield* rows;
  });
}

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
});
after(() => rm(folder, { recursive: true }));

test('a CSV report has one row per person and group, and reads back as it was', async () => {
  const path = join(folder, 'report.csv');
  await writeReport(path, rowsOf(row, unknown));
  const text = await readFile(path, 'utf8');
  const [heading, first, second] = papaparse.parse<string[]>(text.trimEnd()).data;
  assert.deepEqual(heading, [...reportColumns]);
  assert.deepEqual(
    first,
    reportColumns.map((column) => String(row[column])),
  );
  assert.deepEqual(
    second,
    reportColumns.map((column) => String(unknown[column] ?? '')),
  );
});

test('the page of a held run says why, and that nobody approved it, to people without a terminal', async () => {
  const path = join(folder, 'held.html');
  const reasons = [{ guard: 'shrink', message: 'half a file?\nusually <120>', scope: 'all' }] as const;
  const hold = {
    deliveries: 3,
    inOtherGroups: 0,
    reasons: [...reasons],
    hash: 'ab',
    expiresAt: '2026-01-08T10:00:00.000Z',
    commands: [],
  };
  const report = exampleReport({ status: 'held', pending: 3, hold });
  await writeReport(path, { ...rowsOf(row), report, details: { ...details, approvals: [] } });
  const page = await readFile(path, 'utf8');
  assert.match(page, /<b>shrink<\/b>: half a file\?<br \/>usually &#60;120&#62;/);
  assert.doesNotMatch(page, /roster-sync [a-z]+ /);
  assert.match(page, /Cancelled unless approved by 2026-01-08/);
  assert.match(page, /<dd>nobody yet<\/dd>/);
  await writeReport(path, { ...rowsOf(row), details: { ...details, approvals: [] } });
  assert.doesNotMatch(await readFile(path, 'utf8'), /Why it is held|nobody yet/);
});

/** A page without what stands between its tags for readers of the source. */
async function markupOf(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).replaceAll(/>\s+</g, '><');
}

test('the tiles of a page add up to the people of the run', async () => {
  const path = join(folder, 'tiles.html');
  const outcome = { succeeded: 3, partial: 0, failed: 1, unknown: 0, superseded: 2, cancelled: 26 };
  await writeReport(path, { ...rowsOf(row), report: exampleReport({ outcome, pending: 5 }) });
  const tiles = [...(await readFile(path, 'utf8')).matchAll(/<b>([\d,]+)<\/b><span>people ([a-z ]+)</g)];
  assert.deepEqual(
    tiles.map(([, value, name]) => `${value} ${name}`),
    ['3 delivered', '27 not delivered', '2 superseded', '5 not sent yet'],
  );
});

test('in the bar of a group only what succeeded is green, and a page of a run that stopped says whose groups are there', async () => {
  const path = join(folder, 'groups.html');
  const group = { group: 'All', calls: 4, inserts: 1, warnings: 0, succeeded: 1, failures: 1 };
  await writeReport(path, { ...rowsOf(row), report: exampleReport({ status: 'halted', pending: 9, groups: [group] }) });
  const page = await markupOf(path);
  const bar = /All<\/th><td>(.*?)<\/td>/.exec(page)?.[1] ?? '';
  assert.deepEqual(
    [...bar.matchAll(/class="fill-(\w+)" x="[\d.]+%" width="([\d.]+)%/g)].map(
      ([, tone, percent]) => `${tone} ${percent}`,
    ),
    ['ok 25.00', 'bad 25.00', 'edge 50.00'],
  );
  assert.match(page, /Only groups for which calls were made; not everybody was sent\./);
  await writeReport(path, rowsOf(row));
  assert.doesNotMatch(await readFile(path, 'utf8'), /Only groups/);
});

test('a page says what was noticed in the words of `show`', async () => {
  const path = join(folder, 'noticed.html');
  const noticed = [{ kind: 'refused 401', count: 1, firstSeenAt: '2026-01-05T10:00:00.000Z' }];
  await writeReport(path, { ...rowsOf(row), details: { ...details, noticed } });
  const page = await markupOf(path);
  assert.match(page, /<th scope="row">call refused \(HTTP 401\)<\/th><td class="n">1<\/td>/);
  assert.match(page, /<th scope="col">First seen at this service<\/th>/);
});

test('a JSON report has the run with who approved it, and the rows, also without any', async () => {
  const path = join(folder, 'report.JSON');
  await writeReport(path, rowsOf(row, unknown));
  const { run, rows } = JSON.parse(await readFile(path, 'utf8'));
  assert.deepEqual(rows, [row, unknown]);
  assert.equal(run.run, done.run);
  assert.deepEqual(run.approvals, details.approvals);
  assert.deepEqual(run.settings, done.settings);
  await writeReport(path, rowsOf());
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')).rows, []);
});

test('a cell that a spreadsheet would run as a formula begins with an apostrophe, a number does not', async () => {
  const path = join(folder, 'formulas.csv');
  const evil = ['=HYPERLINK("x")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=1\n=2'];
  await writeReport(path, rowsOf(...evil.map((group) => ({ ...row, group, responseTime: -0.5 }))));
  const [, ...rows] = papaparse.parse<string[]>((await readFile(path, 'utf8')).trimEnd(), { newline: '\n' }).data;
  assert.deepEqual(
    rows.map((cells) => cells[3]),
    evil.map((group) => `'${group}`),
  );
  assert.equal(rows[0]?.[reportColumns.indexOf('responseTime')], '-0.5');
});

test('any text comes back unchanged through a CSV report and the reader of rosters', async () => {
  const path = join(folder, 'property.csv');
  await fc.assert(
    fc.asyncProperty(runnableCell, runnableCell, runnableCell, async (firstname, group, reason) => {
      await writeReport(path, rowsOf({ ...row, firstname, group, reason }));
      const { table } = await read(path, { delimiter: ',' });
      const [heading = [], cells = []] = table;
      const back = Object.fromEntries(heading.map((name, at) => [name, cells[at]]));
      assert.deepEqual([back['firstname'], back['group'], back['reason']], [firstname, group, reason]);
    }),
    { numRuns: 200 },
  );
});

test('a report can be read by its owner only, and nothing lies beside it', async () => {
  const own = join(folder, 'own');
  await mkdir(own);
  await writeFile(join(own, 'report.csv'), 'older', { mode: 0o644 });
  await writeReport(join(own, 'report.csv'), rowsOf(row));
  assert.equal((await stat(join(own, 'report.csv'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(own), ['report.csv']);
});

test('a report whose rows break off leaves the older report as it was', async () => {
  const own = join(folder, 'broken');
  await mkdir(own);
  const path = join(own, 'report.csv');
  await writeFile(path, 'older');
  async function* breaking(): AsyncGenerator<ReportRow> {
    yield row;
    throw new Error('the ledger went away');
  }
  await assert.rejects(writeReport(path, sourceOf(breaking)), /the ledger went away/);
  assert.deepEqual(await readdir(own), ['report.csv']);
  assert.equal(await readFile(path, 'utf8'), 'older');
});

test('rows are taken as they are written, not gathered', async () => {
  let waiting = 0;
  let most = 0;
  async function* many(): AsyncGenerator<ReportRow> {
    for (let at = 0; at < 20_000; at++) {
      waiting++;
      most = Math.max(most, waiting);
      yield row;
      waiting--;
    }
  }
  const path = join(folder, 'many.csv');
  await writeReport(path, sourceOf(many));
  assert.equal(most, 1);
  assert.equal((await readFile(path, 'utf8')).split('\n').length, 20_002);
});

test('a name that says no known format is refused before anything is written, naming the formats', async () => {
  for (const name of ['report.ods', 'report', '.csv']) {
    assert.throws(
      () => checkReportPath(name),
      (error) => error instanceof InputError && /\.csv, \.xlsx, \.json, \.html/.test(error.message),
    );
    await assert.rejects(writeReport(join(folder, name), rowsOf(row)), InputError);
  }
  checkReportPath('report.csv');
  checkReportPath('Report.JSON');
});

test('a place that cannot be written is an input error that says why', async () => {
  await assert.rejects(
    writeReport(join(folder, 'missing', 'report.csv'), rowsOf(row)),
    (error) => error instanceof InputError && /folder does not exist; name another place/.test(error.message),
  );
  await mkdir(join(folder, 'folder.csv'));
  await assert.rejects(
    writeReport(join(folder, 'folder.csv'), rowsOf(row)),
    (error) => error instanceof InputError && /it is a folder/.test(error.message),
  );
});

test('the page of a large run asks only for the people to look at, and ends where a browser would', async () => {
  const asked: unknown[] = [];
  const path = join(folder, 'large.html');
  let waiting = 0;
  const large: ReportSource = {
    report: exampleReport({ outcome: { ...done.outcome, succeeded: 1_000_000 } }),
    details,
    async *rows(options) {
      asked.push(options);
      for (let at = 0; at < 1_000_000; at++) {
        waiting = at;
        yield { ...row, email: `p${at}@example.com` };
      }
    },
  };
  await writeReport(path, large);
  assert.deepEqual(asked, [{ notable: true }]);
  assert.equal(waiting, 10_000);
  const text = await readFile(path, 'utf8');
  assert.equal(text.match(/p\d+@example\.com/g)?.length, 10_000);
  assert.match(text, /The first 10,000 rows; all are in the CSV or JSON report\..*\n\s*<\/body>\n\s*<\/html>\n$/s);
});
