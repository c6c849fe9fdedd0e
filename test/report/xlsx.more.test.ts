import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { writeWhole } from '../../src/report/files/whole-file.ts';
import { type Cell } from '../../src/report/files/csv.ts';
import { sheetForm, sheetParts } from '../../src/report/files/sheet.ts';
import { openRoster } from '../../src/roster/open-roster.ts';

const workbook = (name: string, columns: string[], rows: AsyncIterable<{ cells: Cell[] }>) =>
  sheetParts({ name, list: 'rows', columns, rows, cells: ({ cells }) => cells }, { format: 'xlsx' });

function placeFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-xlsx-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'book.xlsx');
}

test('a workbook gives back what was written, and no cell is a formula', async (t) => {
  const path = placeFor(t);
  const rows: Cell[][] = [
    ['Åse <b>&amp;"Öst"', '=1+1', 12, null],
    ['  spaces  ', '漢字 😀', 0.5, true],
  ];
  async function* all() {
    for (const cells of rows) yield { cells };
    yield { cells: ['bad \u0001\uD83D', 'two\nlines', -3, ''] };
  }
  await writeWhole(path, workbook('People & groups', ['first', 'second', 'third', 'fourth'], all()));
  const book = await openRoster(path, { headerLine: 1 });
  const found: string[][] = [];
  for await (const batch of book.batches()) for (const { cells } of batch) found.push([...cells]);
  await book.close();
  assert.deepEqual(book.form.header, ['first', 'second', 'third', 'fourth']);
  assert.deepEqual(
    found.map((cells) => cells.slice(0, 3).map((cell) => cell.trim())),
    [
      ['Åse <b>&amp;"Öst"', '=1+1', '12'],
      ['spaces', '漢字 😀', '0.5'],
      ['bad \uFFFD\uFFFD', 'two\nlines', '-3'],
    ],
  );
});

test('a fault while rows come, and more rows than Excel opens, leave no file', async (t) => {
  const path = placeFor(t);
  async function* broken() {
    yield { cells: ['one'] };
    throw new InputError('the ledger is gone');
  }
  await assert.rejects(writeWhole(path, workbook('Plan', ['a'], broken())), /the ledger is gone/);
  async function* endless() {
    for (;;) yield { cells: [1] };
  }
  await assert.rejects(
    writeWhole(path, workbook('Plan', ['a'], endless())),
    /at most 1048575 rows: name a file that ends in \.csv/,
  );
});

test('a list is the same in each format that the ending of its file names', async () => {
  const people = [
    { email: 'ann@example.com', groups: ['Sales', 'All; staff'], line: 2 },
    { email: 'bo@example.com', groups: [], line: null },
  ];
  const textOf = async (path: string, excel = false): Promise<string> => {
    const parts: Buffer[] = [];
    const sheet = {
      name: 'People',
      list: 'people',
      head: { run: 'r1' },
      columns: ['email', 'groups', 'line'],
      rows: people,
    };
    for await (const part of sheetParts(sheet, sheetForm(path, excel))) parts.push(Buffer.from(part));
    return Buffer.concat(parts).toString();
  };
  const csv = 'email,groups,line\nann@example.com,"[""Sales"",""All; staff""]",2\nbo@example.com,,\n';
  assert.equal(await textOf('left.csv'), csv);
  assert.equal(await textOf('left.txt'), csv);
  assert.deepEqual(JSON.parse(await textOf('left.json')), { version: 1, run: 'r1', people });
  const lines = (await textOf('Left.NDJSON')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    people,
  );
  assert.match(await textOf('left.xlsx'), /^PK/);
  assert.match(await textOf('left.csv', true), /^\uFEFFemail;groups;line\r\n/);
  assert.throws(() => sheetForm('left.xlsx', true), /left\.xlsx is no CSV file/);
});
