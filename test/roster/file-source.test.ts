import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import type { SourceDeps } from '../../src/roster/roster-file.ts';
import { isReject } from '../../src/core/rows/row.ts';
import { picksUp } from '../../src/roster/files/file-source.ts';
import { missingOf, seriesOf } from '../../src/roster/files/passing-files.ts';
import { places, type SourceLocation } from '../../src/roster/places.ts';
import { openSource } from '../../src/roster/configured-source.ts';
import { openRoster, type RosterFile } from '../../src/roster/open-roster.ts';
import { deps } from './fetch/fetching.ts';
import { newPath, refusalOf } from './reading.ts';

const header = 'First name,Last name,Email\n';
const ada = 'Ada,Berg,ada.berg@example.com\n';
const bo = 'Bo,Dahl,bo.dahl@example.com\n';

/** A folder with files in it, each an hour older than the one before. */
async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = newPath('folder');
  await mkdir(folder);
  for (const [at, [name, content]] of Object.entries(files).entries()) {
    const path = join(folder, name);
    await writeFile(path, content);
    const time = new Date(Date.UTC(2026, 2, 2, 12 - at));
    await utimes(path, time, time);
  }
  return folder;
}

async function rowsOf(roster: RosterFile): Promise<string[]> {
  const rows: string[] = [];
  try {
    for await (const batch of roster.batches()) {
      for (const row of batch)
        rows.push(`${basename(row.file)}:${row.line} ${row.cells.join('|')}${isReject(row) ? ' !' : ''}`);
    }
  } finally {
    await roster.close();
  }
  return rows;
}

async function read(location: SourceLocation, given: SourceDeps = deps()): Promise<string[]> {
  return rowsOf(await openSource(location, given));
}

test('of the files that match, the newest is read; hidden ones do not match', async () => {
  const folder = await folderOf({ '.staff-9.csv': 'x', 'staff-2.csv': header + bo, 'staff-3.csv': header + ada });
  assert.deepEqual(await read({ file: join(folder, 'staff-*.csv') }), ['staff-2.csv:2 Bo|Dahl|bo.dahl@example.com']);
});

test('locks and files that are still being written do not match, in a pattern or a folder', async () => {
  const passing = [
    '~$staff.xlsx',
    '.~lock.staff.csv#',
    'staff.csv.part',
    'staff.csv.filepart',
    'staff.tmp',
    'staff.csv~',
  ];
  const folder = await folderOf({
    ...Object.fromEntries(passing.map((name) => [name, 'x'])),
    'staff.csv': header + bo,
  });
  assert.deepEqual(await read({ file: join(folder, '*') }), ['staff.csv:2 Bo|Dahl|bo.dahl@example.com']);
  assert.deepEqual(await read({ file: join(folder, '*'), pick: 'all' }), ['staff.csv:2 Bo|Dahl|bo.dahl@example.com']);
  assert.match(await refusalOf(read({ file: folder })), /They are staff\.csv\./);
});

test('a pattern that says so itself matches them', async () => {
  const folder = await folderOf({ '.staff.csv': header + bo });
  assert.deepEqual(await read({ file: join(folder, '.st*.csv') }), ['.staff.csv:2 Bo|Dahl|bo.dahl@example.com']);
});

test('all that match are one roster, the oldest first, each row with its file and line', async () => {
  const folder = await folderOf({ 'staff-b.csv': header + bo, 'staff-a.csv': header + ada });
  const roster = await openSource({ file: join(folder, 'staff-*.csv'), pick: 'all' }, deps());
  assert.equal(roster.modifiedAt.toISOString(), '2026-03-02T12:00:00.000Z');
  assert.deepEqual(roster.form.olderFiles, { [join(folder, 'staff-a.csv')]: '2026-03-02T11:00:00.000Z' });
  assert.deepEqual(await rowsOf(roster), [
    'staff-a.csv:2 Ada|Berg|ada.berg@example.com',
    'staff-b.csv:2 Bo|Dahl|bo.dahl@example.com',
  ]);
  assert.match(roster.checksum(), /^[\da-f]{64}$/);
});

test('one that ends without a newline makes all of them look cut off', async () => {
  const folder = await folderOf({ 'b.csv': header + bo.trimEnd(), 'a.csv': header + ada });
  const roster = await openSource({ file: join(folder, '*.csv'), pick: 'all' }, deps());
  assert.equal(roster.form.isUnended, true);
  await roster.close();
});

test('one that says that it is a page of more makes all of them a part of the roster', async () => {
  const people = [{ 'First name': 'Bo', Email: 'bo.dahl@example.com' }];
  const folder = await folderOf({ 'b.json': JSON.stringify({ people, total: 250 }), 'a.csv': header + ada });
  const roster = await openSource({ file: join(folder, '*'), pick: 'all' }, deps());
  assert.equal(roster.form.isPartial, true);
  await roster.close();
});

test('files with their columns in another order, or with fewer, fit together', async () => {
  const folder = await folderOf({
    'b.csv': 'Email,Team,First name,Last name\nbo.dahl@example.com,Red,Bo,Dahl\n',
    'a.csv': `${header}${ada}too,many,cells,here\n`,
  });
  const roster = await openSource({ file: join(folder, '*.csv'), pick: 'all' }, deps());
  assert.deepEqual(roster.form.header, ['First name', 'Last name', 'Email', 'Team']);
  assert.match(roster.form.notes.join('\n'), /a\.csv: missing columns: 1\./);
  assert.deepEqual(await rowsOf(roster), [
    'a.csv:2 Ada|Berg|ada.berg@example.com|',
    'a.csv:3 too|many|cells||here !',
    'b.csv:2 Bo|Dahl|bo.dahl@example.com|Red',
  ]);
});

test('columns that differ in case alone are one; those that are called the same come first', async () => {
  const folder = await folderOf({
    'b.csv': 'EMAIL,FIRST NAME,last name,Team,team\nbo.dahl@example.com,Bo,Dahl,Red,r\n',
    'a.csv': 'First name,Last name,Email,team\nAda,Berg,ada.berg@example.com,b\n',
  });
  const roster = await openSource({ file: join(folder, '*.csv'), pick: 'all' }, deps());
  assert.deepEqual(roster.form.header, ['First name', 'Last name', 'Email', 'team', 'Team']);
  assert.deepEqual(await rowsOf(roster), [
    'a.csv:2 Ada|Berg|ada.berg@example.com|b|',
    'b.csv:2 Bo|Dahl|bo.dahl@example.com|r|Red',
  ]);
});

test('a file that has nothing in common with the others is refused', async () => {
  const folder = await folderOf({ 'b.csv': 'x;y\n1;2\n', 'a.csv': header + ada });
  assert.match(
    await refusalOf(read({ file: join(folder, '*.csv'), pick: 'all' })),
    /b\.csv: it has no column in common with .*a\.csv/,
  );
});

test('a pattern that nothing matches, and a file that is not there, are refused', async () => {
  const folder = await folderOf({});
  assert.match(await refusalOf(read({ file: join(folder, '*.csv') })), /no file matches this pattern/);
  assert.match(await refusalOf(read({ file: join(folder, 'staff.csv') })), /there is no such file/);
});

test('a file whose name looks like a pattern is that file', async () => {
  const folder = await folderOf({ 'staff[1].csv': header + ada, 'staff1.csv': header + bo });
  assert.deepEqual(await read({ file: join(folder, 'staff[1].csv') }), [
    'staff[1].csv:2 Ada|Berg|ada.berg@example.com',
  ]);
});

test('the reader waits for a file that is still being written', async () => {
  const folder = await folderOf({ 'staff.csv': header });
  const path = join(folder, 'staff.csv');
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms);
    if (waits.length < 3) await appendFile(path, waits.length === 1 ? ada : bo);
  };
  const found = await read({ file: path, settle: 10_000 }, deps({ wait }));
  assert.equal(found.length, 2);
  assert.deepEqual(waits, [10_000, 10_000, 10_000]);
});

test('a complete file is checked twice, however old it seems', async () => {
  const folder = await folderOf({ 'staff.csv': header + ada });
  const given = deps();
  await read({ file: join(folder, 'staff.csv'), settle: 10_000 }, given);
  assert.deepEqual(given.waits, [10_000]);
});

test('a newer file that comes while one settles is taken', async () => {
  const folder = await folderOf({ 'staff-1.csv': header + ada });
  let waits = 0;
  const wait = async (): Promise<void> => {
    if ((waits += 1) === 1) await writeFile(join(folder, 'staff-2.csv'), header + bo);
  };
  const found = await read({ file: join(folder, 'staff-*.csv'), settle: 10_000 }, deps({ wait }));
  assert.deepEqual(found, ['staff-2.csv:2 Bo|Dahl|bo.dahl@example.com']);
});

test('a file that never settles is refused', async () => {
  const folder = await folderOf({ 'staff.csv': header });
  const path = join(folder, 'staff.csv');
  const reading = read({ file: path, settle: 10_000 }, deps({ wait: () => appendFile(path, ada) }));
  assert.match(await refusalOf(reading), /is still being written after 600 s\. Nothing was read/);
});

test('a file that goes away while it settles is refused', async () => {
  const folder = await folderOf({ 'staff.csv': header + ada });
  const path = join(folder, 'staff.csv');
  assert.match(await refusalOf(read({ file: path, settle: 10_000 }, deps({ wait: () => rm(path) }))), /no such file/);
});

test('yesterday’s export fails', async () => {
  const folder = await folderOf({ 'staff.csv': header + ada });
  const file = join(folder, 'staff.csv');
  const at = (time: string): SourceDeps => deps({ now: () => new Date(time) });
  const maxAge = 26 * 3_600_000;
  assert.equal((await read({ file, maxAge }, at('2026-03-03T13:00:00Z'))).length, 1);
  assert.equal((await read({ file, maxAge }, at('2026-03-03T14:00:00Z'))).length, 1, 'exactly as old as it may be');
  const stale = read({ file, maxAge }, at('2026-03-05T12:00:01Z'));
  assert.match(await refusalOf(stale), /staff\.csv: it is 3 days old, and may be 26 hours/);
});

test('of all files, each must be young enough', async () => {
  const folder = await folderOf({ 'b.csv': header + bo, 'a.csv': header + ada });
  const given = deps({ now: () => new Date('2026-03-02T13:30:00Z') });
  const reading = read({ file: join(folder, '*.csv'), pick: 'all', maxAge: 2 * 3_600_000 }, given);
  assert.match(await refusalOf(reading), /a\.csv: it is 2 hours old/);
});

test('waiting for a file to settle can be stopped', async () => {
  const folder = await folderOf({ 'staff.csv': header + ada });
  const stop = AbortSignal.abort(new Error('interrupted'));
  const reading = read({ file: join(folder, 'staff.csv'), settle: 10_000 }, deps({ signal: stop }));
  await assert.rejects(reading, /^Error: interrupted$/);
});

test('a link to nothing is named, not the folder, where it is meant as a roster', async () => {
  const folder = await folderOf({ 'users.csv': header + ada });
  const link = join(folder, 'current.csv');
  await symlink('nowhere.csv', link);
  const said = /current\.csv: this is a link to a file that is not there\. Bring that back, or remove the link\.$/;
  assert.match(await refusalOf(read({ file: folder })), said);
  assert.match(await refusalOf(read({ file: link })), said);
  for (const pick of ['newest', 'all'] as const) {
    assert.match(await refusalOf(read({ file: join(folder, '*.csv'), pick })), said);
  }
  assert.match(await refusalOf(openRoster(link)), said);
});

test('a link to nothing that is no roster, such as an editor leaves beside a file, changes nothing', async () => {
  const files = { 'people.csv': 'id,First name,Last name,Email\n1,Ada,Berg,ada.berg@example.com\n' };
  const folder = await folderOf(files);
  const location = { file: folder, settle: 1 };
  const before = await refusalOf(read(location));
  await symlink('ann@desk.4711', join(folder, '.#people.csv'));
  assert.equal(await refusalOf(read(location)), before);
});

test('a source says which files it would pick up', () => {
  const base = '/srv/hr';
  assert.ok(picksUp({ file: 'in/staff-*.csv' }, '/srv/hr/in/staff-rejects.csv', base));
  assert.ok(picksUp({ file: 'in/staff.csv' }, 'in/staff.csv', base));
  assert.ok(picksUp({ file: 'in' }, 'in/rejects.csv', base));
  assert.ok(!picksUp({ file: 'in/staff-*.csv' }, 'out/staff-rejects.csv', base));
  assert.ok(!picksUp({ file: '-' }, 'staff.csv', base));
});

test('every place that settings can name is opened by something, and in the documentation', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/connectors.md'), 'utf8');
  for (const [place, { load }] of Object.entries(places)) {
    assert.equal(typeof (await load()), 'function', place);
    assert.ok(page.includes(`\`${place}\``) || page.includes(`\`${place}: `), `docs/connectors.md shows ${place}`);
  }
});

suite('of files with a day in their names', () => {
  const newest = [
    ['staff-2026-11-24.csv', 'staff-2026-11-20.csv'],
    ['staff-20261124.csv', 'staff-20261120.csv'],
    ['staff-2026-11.csv', 'staff-2026-10.csv'],
    ['Staff 01.12.2026.csv', 'Staff 24.11.2026.csv'],
    ['staff-12-01-2026.csv', 'staff-11-24-2026.csv'],
    ['staff-2026-11-24T15-00.csv', 'staff-2026-11-24T09-30.csv'],
    ['2026-11-24/staff.csv', '2026-11-20/staff.csv'],
    ['staff-2026-11-24.csv', 'staff-2026-11-20 - Copy.csv'],
    ['staff 24 November 2026.csv', 'staff 20 November 2026.csv'],
    ['staff-Oct-2026.csv', 'staff-Apr-2026.csv'],
  ] as const;
  for (const [later, earlier] of newest) {
    test(`${earlier} is not read instead of ${later} because somebody has saved it`, async () => {
      const folder = newPath('folder');
      const pattern = join(folder, '**/*.csv');
      for (const name of [earlier, later]) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), header + ada);
      }
      const savedAt = (name: string, hour: number): Promise<void> =>
        utimes(join(folder, name), new Date(Date.UTC(2026, 11, 2, hour)), new Date(Date.UTC(2026, 11, 2, hour)));
      await savedAt(earlier, 1);
      await savedAt(later, 2);
      assert.deepEqual(await read({ file: pattern }), [`${basename(later)}:2 Ada|Berg|ada.berg@example.com`]);
      await savedAt(earlier, 3);
      const said = await refusalOf(read({ file: pattern }));
      assert.ok(
        said.includes(`${join(folder, earlier)} was changed last, but ${join(folder, later)} has a later day`),
        said,
      );
      assert.equal((await read({ file: pattern, pick: 'all' })).length, 2);
    });
  }
});

test('a file of before is missing, unless one of its series or a new one is in its place', () => {
  const before = ['in/oslo-2026-11-01.csv', 'in/rome-2026-11-01.csv', 'in/paris.csv'];
  assert.deepEqual(missingOf(before, ['in/oslo-2026-11-02.csv', 'in/paris-2026-11-02.csv']), [before[1]]);
  assert.deepEqual(missingOf(before, ['in/oslo-2026-11-02.csv']), [before[1], before[2]]);
  assert.deepEqual(missingOf(before, ['in/oslo-2026-11-02.csv', 'in/bonn.csv']), [before[1], before[2]]);
  assert.deepEqual(missingOf(before, ['in/4f2a.csv', 'in/77c0.csv', 'in/oslo-2026-11-02.csv']), []);
});

test('the files of a series have one name, whatever their day, month, version or copy', () => {
  for (const name of [
    'staff',
    'staff-2026-10',
    'staff_20261126',
    'staff 26.11.2026 (2)',
    'staff-11.2026',
    '2026-11-26_staff',
    'staff-2026-11-26T0930',
    'staff_2026-11-01_2026-11-30',
    'staff-v2',
    'staff (1)',
    'staff-March-2026',
    'staff_12 März 2026',
    'staff-Mar-12-2026',
    'staff-2026-oct',
    'staff October2026',
    'staff-w12',
    'staff-2026-W12',
    'staff KW 7 2026',
    'staff_Q3_2026',
    'staff-2026Q1',
  ])
    assert.equal(seriesOf(name), 'staff', name);
  assert.equal(seriesOf('staff-2026-11-joiners'), 'staff-joiners');
  for (const name of ['bounded-2', 'Class 2026', 'a_', 'team 12', 'dev2', 'w123', 'Marching-2026', 'show12', 'hr-w'])
    assert.equal(seriesOf(name), name);
});
