import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import papaparse from 'papaparse';
import { openRoster } from '../../src/roster/open-roster.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { envOf, openPlace, type Place } from '../support/cli.ts';

type Line = Record<string, string>;

const header = 'First Name,Last Name,Work Email,Department,First Day\n';
const first = `${header}Ann,Ek,ann@example.com,IT,\nBo,Ek,bo@example.com,IT,\nCy,Ek,cy@example.com,HR,\nÅsa,Öst,asa@example.com,HR,\n`;
const second = `${header}Ann,Lind,ann@example.com,Purchasing,\nBo,Ek,bo@example.com,IT,\nÅsa,Öst,asa@example.com,HR,\nEva,Ny,eva@example.com,HR,\nFay,Ny,fay@example.com,HR,2098-01-31\nBad,Ny,jane@,HR,\n`;

let sandbox: Sandbox;
let place: Place;

const source = (guards = ''): string =>
  'sources:\n  staff:\n    file: ./staff.csv\n    settle: 1ms\n    snapshot: true\n    everybody: true\n' +
  `    members: { startDate: First Day }\n    groups: [{ column: Department }]\n${guards}`;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
  place.write('roster-sync.yaml', source());
  place.write('staff.csv', first);
  const held = await place.json('sync', 'staff', '--yes');
  assert.equal(held.ended.code, 3, 'nobody watches the first run');
  assert.equal((await place.run('approve', held.value.run, '--yes')).code, 0);
  place.write('staff.csv', second);
});
after(() => sandbox.close());

/** The lines of a plan that is written as CSV. */
async function planned(...flags: string[]): Promise<Line[]> {
  const { code, stderr } = await place.run('plan', 'staff', '-o', 'plan.csv', ...flags);
  assert.ok(code === 0 || code === 3, stderr);
  return papaparse.parse<Line>(place.read('plan.csv'), { header: true, skipEmptyLines: true }).data;
}

const briefly = (lines: readonly Line[]): string[][] => lines.map(({ kind = '', email = '' }) => [kind, email]);

describe('the people of a plan', () => {
  it('are listed with what happens to each, and why: changed, new, later, departed, rejects; not the unchanged', async () => {
    const lines = await planned();
    assert.deepEqual(briefly(lines), [
      ['changed', 'ann@example.com'],
      ['new', 'eva@example.com'],
      ['later', 'fay@example.com'],
      ['departed', 'cy@example.com'],
      ['reject', ''],
    ]);
    const [ann, eva, fay, cy, bad] = lines;
    assert.match(ann?.['changes'] ?? '', /name: Ann Ek -> Ann Lind; groups: \+ Purchasing, keeps IT at the service$/);
    assert.deepEqual([eva?.['groups'], eva?.['why'], eva?.['line']], ['HR', 'not given anything yet', '5']);
    assert.deepEqual([fay?.['firstDay'], fay?.['why']], ['2098-01-31', 'begins on 2098-01-31']);
    assert.deepEqual([cy?.['groups'], cy?.['why']?.includes('keeps these groups at the service')], ['HR', true]);
    assert.deepEqual([bad?.['column'], bad?.['value'], bad?.['line']], ['Work Email', 'jane@', '7']);
  });

  it('are narrowed by kind and by guard, and hold the unchanged on request', async () => {
    assert.deepEqual(briefly(await planned('--kind', 'new,departed')), [
      ['new', 'eva@example.com'],
      ['departed', 'cy@example.com'],
    ]);
    assert.deepEqual(briefly(await planned('--kind', 'unchanged')), [
      ['unchanged', 'asa@example.com'],
      ['unchanged', 'bo@example.com'],
    ]);
    assert.equal((await planned('--unchanged')).length, 7);
    place.write('roster-sync.yaml', source('    guards: { changed: { percent: 1, count: 0 } }\n'));
    const held = await planned('--guard', 'changed');
    place.write('roster-sync.yaml', source());
    assert.deepEqual(briefly(held), [['changed', 'ann@example.com']]);
    assert.equal(held[0]?.['heldBy'], 'changed');
  });

  it('are the same in a workbook, in JSON and on a page; a dry run writes them with --report', async () => {
    for (const name of ['plan.xlsx', 'plan.json', 'plan.html']) {
      const { code, stderr } = await place.run('sync', 'staff', '--dry-run', '--report', name);
      assert.equal(code, 0, stderr);
      assert.match(stderr, new RegExp(`The plan is in ${name.replace('.', '\\.')}: 5 lines`));
    }
    const { people, plan } = JSON.parse(place.read('plan.json')) as { people: { email: string }[]; plan: object };
    assert.deepEqual([people.length, people[0]?.email, 'new' in plan], [5, 'ann@example.com', true]);
    const page = place.read('plan.html');
    assert.match(page, /name: Ann Ek -&#62; Ann Lind/);
    assert.match(page, /jane@/);
    const book = await openRoster(join(place.folder, 'plan.xlsx'), { headerLine: 1 });
    const rows: string[][] = [];
    for await (const batch of book.batches()) for (const { cells } of batch) rows.push([...cells]);
    await book.close();
    assert.deepEqual(book.form.header.slice(0, 3), ['kind', 'email', 'firstname']);
    assert.deepEqual(
      rows.map(([kind, email]) => [kind, email]),
      briefly(await planned()),
    );
  });

  it('open in Excel with --excel; everybody is written and nobody is sent or kept', async () => {
    const before = await place.listRuns();
    assert.equal((await place.run('plan', 'staff', '-o', 'excel.csv', '--excel')).code, 0);
    assert.match(place.read('excel.csv'), /^\uFEFFkind;email;firstname;[^\r]*\r\n/);
    assert.equal((await place.listRuns()).length, before.length);
    const shown = await place.run('show', 'latest', '--report', 'run.csv', '--departed', 'left.csv', '--excel');
    assert.equal(shown.code, 0, shown.stderr);
    for (const name of ['run.csv', 'left.csv']) assert.match(place.read(name), /^\uFEFFemail;firstname;/);
    assert.equal((await place.run('show', 'latest', '--report', 'run.xlsx')).code, 0);
    assert.equal(readFileSync(join(place.folder, 'run.xlsx')).toString('latin1', 0, 2), 'PK');
  });

  for (const [words, said] of [
    [['plan', 'staff', '-o', 'plan.txt'], /must end in one of \.csv, \.xlsx, \.json, \.html/],
    [['plan', 'staff', '--kind', 'new'], /--kind: name a file for the people of the plan with -o FILE/],
    [
      ['sync', 'staff', '--guard', 'new', '--yes'],
      /--guard: name a file for the people of the plan with --dry-run and --report FILE/,
    ],
    [['plan', 'staff', '-o', 'plan.csv', '--kind', 'joiners'], /--kind joiners: write one of new, changed,/],
    [['plan', 'staff', '-o', 'plan.xlsx', '--excel'], /plan\.xlsx is no CSV file/],
    [['sync', 'staff', '--yes', '--excel'], /--excel says how a CSV file is written: name one/],
  ] as const) {
    it(`${words.join(' ')} is refused before anything is read`, async () => {
      const { code, stderr } = await place.run(...words);
      assert.deepEqual([code, said.test(stderr)], [2, true], stderr);
      assert.equal(existsSync(join(place.folder, 'plan.txt')), false);
    });
  }

  it('a --report for a run that is not sent says that it was not written', async () => {
    const { code, stderr } = await place.run('sync', 'staff', '--report', 'none.csv');
    assert.equal(code, 2);
    assert.match(stderr, /none\.csv was not written: nothing was sent\./);
  });
});
