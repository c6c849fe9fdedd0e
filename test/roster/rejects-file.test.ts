import assert from 'node:assert/strict';
import { isAscii, isUtf8 } from 'node:buffer';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { StorageError } from '../../src/core/errors.ts';
import { resolveColumns } from '../../src/core/mapping/mapping.ts';
import { isReject, type Reject, type RosterForm } from '../../src/core/rows/row.ts';
import { encode, type Encoding } from '../../src/roster/text/encoding.ts';
import { writeRejects } from '../../src/roster/files/rejects-file.ts';
import { runnableCell, newPath, read, streamOf } from './reading.ts';
import { textRows, workbookOf } from './workbook-writer.ts';
import { zipOf } from './zip-writer.ts';

const form: RosterForm = {
  ...{ file: 'staff.csv', format: 'csv', encoding: 'utf-8', bom: false, delimiter: ',', newline: '\n' },
  ...{ headerLine: 1, notes: [] },
  header: ['First Name', 'Last Name', 'Email'],
};

function rejectOf(cells: string[], line = 2, reason = 'e-mail is empty'): Reject {
  return { file: 'staff.csv', line, cells, column: 'Email', value: '', reason };
}

test('rejects are written in the columns of the roster, then line, reason and run', async () => {
  const path = newPath('rejects.csv');
  const rejects = [
    rejectOf(['Åse', 'Ek', ''], 14),
    rejectOf(['=1+1', 'de la "Cruz"', 'x,y'], 88, 'it is "odd", see there'),
  ];
  assert.equal(await writeRejects(path, form, '7f3a', rejects), 2);
  assert.equal(
    await readFile(path, 'utf8'),
    'First Name,Last Name,Email,_line,_reason,_run\n' +
      'Åse,Ek,,14,e-mail is empty,7f3a\n' +
      '\'=1+1,"de la ""Cruz""","x,y",88,"it is ""odd"", see there",7f3a\n',
  );
});

test('the rejects of an encoding that is only read are in UTF-8, with a mark that says so', async () => {
  const path = newPath('rejects.csv');
  await writeRejects(path, { ...form, encoding: 'shift_jis' }, '7f3a', [rejectOf(['山田', 'b', 'c'])]);
  const { roster, table } = await read(path);
  assert.deepEqual([roster.form.encoding, roster.form.bom, table[1]?.[0]], ['utf-8', true, '山田']);
});

test('a rejects file may be read by its owner alone, and nothing is left beside it', async () => {
  const folder = newPath('folder');
  await mkdir(folder);
  const path = join(folder, 'rejects.csv');
  await writeFile(path, 'an older one, longer than the new one'.repeat(100));
  await writeRejects(path, form, '7f3a', [rejectOf(['a', 'b', 'c'])]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['rejects.csv']);
  assert.match(await readFile(path, 'utf8'), /^First Name.*\na,b,c,2,e-mail is empty,7f3a\n$/);
});

test('what a spreadsheet would run does not begin a cell, and comes back as it was, also where the roster had apostrophes', async () => {
  const path = newPath('rejects.csv');
  const cells = ['=1+1', '+45 12 34', '-Ek', '@x', "'=1+1", "''+1", "'t Hooft", '\t=1', '\r', '\uFF1D1', "'"];
  const wide = { ...form, header: cells.map((cell) => `${cell}n`) };
  await writeRejects(path, wide, '7f3a', [rejectOf(cells)]);
  const text = await readFile(path, 'utf8');
  assert.doesNotMatch(text, /(^|[,\n]"?)[=+\-@\t\r\uFF1D]/);
  const { table } = await read(path, { delimiter: ',' });
  assert.deepEqual(table[0]?.slice(0, cells.length), wide.header);
  assert.deepEqual(table[1]?.slice(0, cells.length), cells);
});

test('an apostrophe that another program wrote before a telephone number is not part of it', async () => {
  const { table } = await read(streamOf(Buffer.from("email,phone,name\na@b.example,'+45 12 34,'t Hooft\n")));
  assert.deepEqual(table[1], ['a@b.example', '+45 12 34', "'t Hooft"]);
});

test('the apostrophe by which Excel marks text is taken from every cell and counted, one of a name stays', async () => {
  const { table, roster } = await read(
    streamOf(Buffer.from("email,name,team\n'a@b.example,'Ann,'s-Gravenhage\n'b@b.example,''n,\n")),
  );
  assert.deepEqual(table.slice(1), [
    ['a@b.example', 'Ann', "'s-Gravenhage"],
    ['b@b.example', "'n", ''],
  ]);
  assert.deepEqual(roster.form.notes, [
    '4 cells begin with the apostrophe that Excel marks text with: it was left out; the first: line 2.',
  ]);
});

test('a workbook loses them too, and a file of rejects says nothing of those that we wrote', async () => {
  const sheet = textRows([
    ['email', 'name'],
    ["'a@b.example", 'Ann'],
  ]);
  const workbook = await read(streamOf(workbookOf({ sheets: [{ name: 'Staff', rows: sheet }] })));
  assert.deepEqual(workbook.table[1], ['a@b.example', 'Ann']);
  assert.match(workbook.roster.form.notes.join(), /^One cell begins with the apostrophe/);
  const path = newPath('rejects.csv');
  await writeRejects(path, form, '7f3a', [rejectOf(["'Ann", '+45', 'x'])]);
  const rejects = await read(path);
  assert.deepEqual(rejects.table[1]?.slice(0, 3), ["'Ann", '+45', 'x']);
  assert.deepEqual(rejects.roster.form.notes, []);
});

test('no rejects make no file', async () => {
  const folder = newPath('none');
  await mkdir(folder);
  assert.equal(await writeRejects(join(folder, 'rejects.csv'), form, '7f3a', []), 0);
  assert.deepEqual(await readdir(folder), []);
});

test('a source of rejects that fails leaves no file', async () => {
  const folder = newPath('failed');
  await mkdir(folder);
  async function* failing() {
    yield rejectOf(['a', 'b', 'c']);
    throw new Error('the ledger is gone');
  }
  await assert.rejects(writeRejects(join(folder, 'rejects.csv'), form, '7f3a', failing()), /the ledger is gone/);
  assert.deepEqual(await readdir(folder), []);
});

test('a folder that cannot be written to is reported', async () => {
  const path = join(newPath('no-such-folder'), 'rejects.csv');
  await assert.rejects(writeRejects(path, form, '7f3a', [rejectOf(['a', 'b', 'c'])]), (error) => {
    assert.ok(error instanceof StorageError);
    assert.match(error.message, /rejects could not be written to .*rejects\.csv/);
    return true;
  });
});

test('a row with too many cells keeps them behind the columns, and is rejected again until it is corrected', async () => {
  const path = newPath('rejects.csv');
  await writeRejects(path, form, '7f3a', [rejectOf(['a', 'b', 'c', 'd', 'e'])]);
  const [row] = (await read(path)).rows;
  assert.deepEqual(row?.cells, ['a', 'b', 'c', '2', 'e-mail is empty', '7f3a', 'd', 'e']);
  assert.ok(row && isReject(row));
});

test('the rejects of a rejects file have the three columns once, and the mapping does not see them', async () => {
  const first = newPath('rejects.csv');
  await writeRejects(first, form, '7f3a', [rejectOf(['a', 'b', ''])]);
  const { roster, rows } = await read(first);
  const second = newPath('rejects.csv');
  await writeRejects(second, roster.form, '80aa', [
    { ...rejectOf(rows[0]?.cells ?? []), line: 2, reason: 'still empty' },
  ]);
  assert.equal(
    await readFile(second, 'utf8'),
    'First Name,Last Name,Email,_line,_reason,_run\na,b,,2,still empty,80aa\n',
  );
  const mapping = resolveColumns(roster.form.header, { groups: ['All'], groupColumns: [] });
  assert.equal(mapping.emailColumn, 'Email');
});

test('many rejects are written as they come', async () => {
  const path = newPath('rejects.csv');
  function* rejects() {
    for (let line = 2; line < 20_002; line++) yield rejectOf(['Åse', `Ek ${line}`, ''], line);
  }
  assert.equal(await writeRejects(path, form, '7f3a', rejects()), 20_000);
  const { rows } = await read(path);
  assert.equal(rows.length, 20_000);
  assert.equal(rows.at(-1)?.cells[3], '20001');
});

const windowsCell = fc.string({ unit: fc.constantFrom(...'"\', ;\t|\r\nAÅé€–œ\u0081=+-@') });
const forms: [Encoding, boolean][] = [
  ['utf-8', false],
  ['utf-8', true],
  ['utf-16le', true],
  ['utf-16le', false],
  ['utf-16be', true],
  ['windows-1252', false],
];

for (const [encoding, bom] of forms) {
  test(`cells of ${encoding} ${bom ? 'with' : 'without'} a byte order mark come back exactly as they were`, async () => {
    const cell = encoding === 'windows-1252' ? windowsCell : runnableCell;
    const tables = fc.integer({ min: 1, max: 4 }).chain((width) => {
      const row = fc.array(cell, { minLength: width, maxLength: width });
      return fc.tuple(row, fc.array(row, { minLength: 1, maxLength: 6 }));
    });
    const delimiters = fc.constantFrom(',', ';', '\t', '|');
    const newlines = fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const);
    await fc.assert(
      fc.asyncProperty(tables, delimiters, newlines, cell, async ([header, rows], delimiter, newline, reason) => {
        const given = header.map((name) => (name.trim().startsWith('_') ? 'x' : name));
        const path = newPath('rejects.csv');
        const written: RosterForm = { ...form, file: 'f', encoding, bom, delimiter, header: given, newline };
        const rejects = rows.map((cells, at) => rejectOf(cells, at + 2, reason));
        await writeRejects(path, written, '7f3a', rejects);
        const bytes = await readFile(path);
        fc.pre(encoding !== 'windows-1252' || isAscii(bytes) || !isUtf8(bytes));
        // Without a mark, the bytes do not say which of the one-byte or two-byte encodings they are.
        const { roster, table } = await read(
          path,
          bom || encoding === 'utf-8' ? { delimiter } : { delimiter, encoding },
        );
        assert.deepEqual(table, [
          [...given, '_line', '_reason', '_run'],
          ...rejects.map(({ cells, line }) => [...cells, String(line), reason, '7f3a']),
        ]);
        assert.equal(roster.form.encoding, encoding);
        assert.equal(roster.form.bom, bom);
      }),
      { numRuns: 100 },
    );
  });
}

test('a rejects file says its delimiter without being asked, whatever is in its cells', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(',', ';', '\t', '|', '^'),
      fc.array(runnableCell, { minLength: 3, maxLength: 3 }),
      async (delimiter, cells) => {
        const path = newPath('rejects.csv');
        await writeRejects(path, { ...form, delimiter }, '7f3a', [rejectOf(cells, 2, 'a, b; c | d')]);
        const { roster, rows } = await read(path);
        assert.equal(roster.form.delimiter, delimiter);
        assert.deepEqual(rows[0]?.cells.slice(0, 3), cells);
      },
    ),
    { numRuns: 100 },
  );
});

test('what Windows-1252 lacks becomes a question mark, in a reason', async () => {
  const path = newPath('rejects.csv');
  const windows = { ...form, encoding: 'windows-1252' };
  await writeRejects(path, windows, '7f3a', [rejectOf(['Åse', 'Œuvre', '€'], 2, 'naïve → Ω')]);
  const { table } = await read(path, { encoding: 'windows-1252' });
  assert.deepEqual(table[1], ['Åse', 'Œuvre', '€', '2', 'naïve ? ?', '7f3a']);
  assert.deepEqual(encode('€œ\u0081', 'windows-1252'), Uint8Array.of(0x80, 0x9c, 0x81));
});

test('rejects of a workbook, of JSON and of a bundle are written as CSV that gives them back', async () => {
  const json = '[{"name": {"first": "Ann"}, "urn:x.y": "a,b"}, {"a": }, {"name": {"first": "Bo \\"B\\""}}]';
  const sheet = textRows([
    ['Email', 'Team; or none'],
    ['ann@example.com', 'a\nb'],
  ]);
  const bundle = zipOf([
    { name: 'users.csv', content: 'user_id,login_id,email\n1,ann,ann@example.com\n2,bo\n' },
    { name: 'enrollments.csv', content: 'user_id,section_id,role,status\n1,s,student,active\n' },
    { name: 'sections.csv', content: 'section_id,name,status\ns,"Art; ""evening""",active\n' },
  ]);
  for (const bytes of [Buffer.from(json), workbookOf({ sheets: [{ name: 'S', rows: sheet }] }), bundle]) {
    const { roster, rows } = await read(streamOf(bytes));
    const path = newPath('rejects.csv');
    const rejects = rows.map((row) => ({ ...row, column: '', value: '', reason: 'why' }));
    await writeRejects(path, roster.form, '7f3a', rejects);
    const { roster: again, rows: written } = await read(path);
    const { header } = roster.form;
    assert.equal(again.form.format, 'csv');
    assert.deepEqual(again.form.header, [...header, '_line', '_reason', '_run']);
    assert.deepEqual(
      written.map(({ cells }) => cells),
      rows.map(({ line, cells }) => [
        ...cells.slice(0, header.length),
        ...[String(line), 'why', '7f3a'],
        ...cells.slice(header.length),
      ]),
    );
  }
});
