import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OpenOptions } from '../../src/roster/open-roster.ts';
import { odsOf, odsRows, odsSheet, textCell } from './ods-writer.ts';
import { fileOf, read, refusalOf, streamOf } from './reading.ts';

const header = ['First Name', 'Last Name', 'Email'];
const people = odsRows([header, ['Åse', 'Ek', 'ase@example.com']]);

async function readOds(rows: string, options?: OpenOptions) {
  return read(await fileOf(odsOf(odsSheet('Staff', rows)), 'staff.ods'), options);
}

const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
const value = async (cell: string) => {
  const { table, roster } = await readOds(odsRows([['Email', 'Value']]) + row(textCell('a@example.com'), cell));
  return { text: table[1]?.[1], notes: roster.form.notes.join(' ') };
};

suite('an OpenDocument spreadsheet (.ods)', () => {
  test('is read with its form, from a file and from a stream', async () => {
    const bytes = odsOf(odsSheet('Staff', people));
    for (const source of [await fileOf(bytes, 'staff.ods'), streamOf(bytes)]) {
      const { roster, rows, table } = await read(source);
      const { format, part, headerLine, notes } = roster.form;
      assert.deepEqual({ format, part, headerLine, notes }, { format: 'ods', part: 'Staff', headerLine: 1, notes: [] });
      assert.deepEqual(table, [header, ['Åse', 'Ek', 'ase@example.com']]);
      assert.equal(rows[0]?.line, 2);
      assert.match(roster.checksum(), /^[0-9a-f]{64}$/);
    }
  });

  const cells: [what: string, xml: string, text: string][] = [
    [
      'a date',
      '<table:table-cell office:value-type="date" office:date-value="2024-03-01"><text:p>1.3.24</text:p></table:table-cell>',
      '2024-03-01',
    ],
    [
      'a date with its time',
      '<table:table-cell office:value-type="date" office:date-value="2024-03-01T18:00:00"/>',
      '2024-03-01 18:00:00',
    ],
    [
      'a time',
      '<table:table-cell office:value-type="time" office:time-value="PT08H30M00S"><text:p>8:30</text:p></table:table-cell>',
      '08:30:00',
    ],
    [
      'a number as it is',
      '<table:table-cell office:value-type="float" office:value="4512345678"><text:p>4,512E+09</text:p></table:table-cell>',
      '4512345678',
    ],
    [
      'a number with zeros in front as it shows',
      '<table:table-cell office:value-type="float" office:value="123"><text:p>00123</text:p></table:table-cell>',
      '00123',
    ],
    [
      'a truth',
      '<table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>WAHR</text:p></table:table-cell>',
      'TRUE',
    ],
    [
      'text without its comment',
      textCell('Ann').replace('<text:p>', '<office:annotation><text:p>old</text:p></office:annotation><text:p>'),
      'Ann',
    ],
    ['spaces, tabs and lines', textCell('a  b\tc\nd'), 'a  b\tc\nd'],
    [
      'spans and links',
      '<table:table-cell office:value-type="string"><text:p>A<text:span>n</text:span><text:a>n</text:a></text:p></table:table-cell>',
      'Ann',
    ],
  ];
  for (const [what, xml, text] of cells) {
    test(`gives ${what}`, async () => assert.equal((await value(xml)).text, text));
  }

  test('says what a spreadsheet has spoilt', async () => {
    const error = await value(
      '<table:table-cell office:value-type="string" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>',
    );
    assert.equal(error.text, '');
    assert.match(error.notes, /B2: an error of Excel/);
    for (const [shown, text] of [
      ['#NV', ''],
      ['#REF!', '#REF!'],
      ['Err:502', 'Err:502'],
      ['Fehler', '#VALUE!'],
    ] as const) {
      const cell = `<table:table-cell office:value-type="string" calcext:value-type="error"><text:p>${shown}</text:p></table:table-cell>`;
      assert.equal((await value(cell)).text, text, shown);
    }
    const plainError =
      '<table:table-cell table:formula="of:=A1" office:value-type="float" office:value="0"><text:p>#REF!</text:p></table:table-cell>';
    assert.equal((await value(plainError)).text, '#REF!', 'of a program that does not say so');
    const formula = await value('<table:table-cell table:formula="of:=A1"/>');
    assert.match(formula.notes, /B2: a formula whose value was never stored/);
    assert.equal(formula.text, '#FORMULA!', 'a last day, say, that nobody knows');
    assert.match((await value(textCell('4.67E+11'))).notes, /B2: a number that was shortened/);
  });

  test('gives repeated cells and rows as often as they stand there, and merged ones to every row', async () => {
    const many = ' table:number-columns-repeated="2"';
    const { table, rows } = await readOds(
      odsRows([['Department', 'A', 'B', 'Email']]) +
        row(textCell('IT', ' table:number-rows-spanned="2"'), textCell('x', many), textCell('a@example.com')) +
        row('<table:covered-table-cell/>', `<table:table-cell${many}/>`, textCell('b@example.com')) +
        '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>' +
        `<table:table-row table:number-rows-repeated="2">${textCell('HR')}${textCell('y', many)}${textCell('c@example.com')}</table:table-row>` +
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
    );
    assert.deepEqual(table.slice(1), [
      ['IT', 'x', 'x', 'a@example.com'],
      ['IT', '', '', 'b@example.com'],
      ['HR', 'y', 'y', 'c@example.com'],
      ['HR', 'y', 'y', 'c@example.com'],
    ]);
    assert.deepEqual(
      rows.map(({ line }) => line),
      [2, 3, 7, 8],
    );
  });

  test('is read without its hidden sheets and what was changed before', async () => {
    const before =
      '<office:automatic-styles><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles>';
    const tracked =
      '<table:tracked-changes><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:tracked-changes>';
    const bytes = odsOf(tracked + odsSheet('Old', people, ' table:style-name="ta2"') + odsSheet('Staff', people), {
      before,
    });
    assert.equal((await read(await fileOf(bytes))).roster.form.part, 'Staff');
  });
});

suite('what is wrong with an OpenDocument spreadsheet is refused:', () => {
  const refuse = async (bytes: Uint8Array, options?: OpenOptions) =>
    refusalOf(read(await fileOf(bytes, 'staff.ods'), options));

  test('a password', async () => {
    const manifest =
      '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>';
    assert.match(await refuse(odsOf('', { manifest })), /locked with a password/);
  });

  test('a text document, and a format that it is not', async () => {
    assert.match(await refuse(odsOf('', { kind: 'text' })), /OpenDocument file, but no spreadsheet/);
    assert.match(
      await refuse(odsOf(odsSheet('Staff', people)), { format: 'xlsx' }),
      /OpenDocument spreadsheet.*not xlsx\. Leave the format out, and it is detected/,
    );
  });

  test('rows and columns that are repeated without end', async () => {
    const rows = (times: number, columns: number) =>
      odsOf(
        odsSheet(
          'Staff',
          `${odsRows([header])}<table:table-row table:number-rows-repeated="${times}">${textCell('x', ` table:number-columns-repeated="${columns}"`)}</table:table-row>`,
        ),
      );
    assert.match(await refuse(rows(1_000_000, 1000)), /repeats cells more than 10000000 times/);
    assert.match(await refuse(rows(2_000_000, 1)), /more than 1048576 rows/);
    assert.match(await refuse(rows(1, 2_000_000_000)), /more than 2000 columns/);
    const long = odsSheet(
      'Staff',
      odsRows([header]) + row(textCell('x'.repeat(1000), ' table:number-columns-repeated="1990"')),
    );
    assert.match(await refuse(odsOf(long)), /one row in it is longer than 1048576 characters/);
    const sheets = Array.from({ length: 20 }, () => odsSheet('Staff', people)).join('');
    assert.match(await refuse(odsOf(sheets), { limits: { files: 10 } }), /more than 10 sheets/);
  });

  test('cells that reach down and are together longer than a row may be', async () => {
    const spanned = (column: number) =>
      row(
        ...Array.from({ length: column }, () => textCell('x')),
        textCell('y'.repeat(1000), ' table:number-rows-spanned="100"'),
      );
    const rows = odsRows([header]) + Array.from({ length: 20 }, (_, column) => spanned(column)).join('');
    const limits = { record: 10_000 };
    assert.match(await refuse(odsOf(odsSheet('Staff', rows)), { limits }), /one row in it is longer than 10000/);
    const blank = odsRows([header]) + spanned(0) + odsRows(Array.from({ length: 10 }, () => ['', 'z'.repeat(9500)]));
    assert.match(await refuse(odsOf(odsSheet('Staff', blank)), { limits }), /one row in it is longer than 10000/);
  });

  test('a value of many parts, and a name, that are too long', async () => {
    const parts = '<text:p>0123456789</text:p>'.repeat(1000);
    const rows = odsRows([header]) + row(`<table:table-cell office:value-type="string">${parts}</table:table-cell>`);
    const limits = { record: 10_000 };
    assert.match(await refuse(odsOf(odsSheet('Staff', rows)), { limits }), /one value in it is longer than 10000/);
    assert.match(await refuse(odsOf(odsSheet('S'.repeat(2000), people))), /name of a sheet is longer than 1000/);
  });

  test('more than it may unpack to, and a file that is cut off', async () => {
    const bytes = odsOf(
      odsSheet('Staff', odsRows(Array.from({ length: 5000 }, () => ['x'.repeat(100), 'a@example.com']))),
    );
    assert.match(await refuse(bytes, { limits: { unpacked: 100_000 } }), /unpacks to more than 100.0 kB/);
    assert.match(await refuse(bytes.subarray(0, bytes.length >> 1)), /zip archive is damaged/);
    const open = odsOf(`${odsSheet('Staff', people)}<table:table>`);
    assert.match(await refuse(open), /workbook is damaged/);
  });
});
