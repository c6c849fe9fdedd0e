import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { mapRow } from '../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../src/core/mapping/mapping.ts';
import { isReject } from '../../src/core/rows/row.ts';
import type { OpenOptions } from '../../src/roster/open-roster.ts';
import { defaultLimits } from '../../src/roster/files/limits.ts';
import { SheetBuilder } from '../../src/roster/workbook/sheet-builder.ts';
import { writeDate } from '../../src/roster/xlsx/number-format.ts';
import { fileOf, hardCell, read, refusalOf, streamOf } from './reading.ts';
import { textRows, workbookOf, xml, type SheetXml, type WorkbookParts } from './workbook-writer.ts';
import { zipOf } from './zip-writer.ts';

const header = ['First Name', 'Last Name', 'Email'];
const people = textRows([header, ['Åse', 'Ek', 'ase@example.com']]);

async function readWorkbook(parts: WorkbookParts, options?: OpenOptions) {
  return read(await fileOf(workbookOf(parts), 'staff.xlsx'), options);
}

function readSheet(rows: string, more: Partial<WorkbookParts & SheetXml> = {}) {
  return readWorkbook({
    sheets: [{ name: 'Staff', rows, ...(more.after !== undefined && { after: more.after }) }],
    ...more,
  });
}

/** A header of one column, then a row with the given cell in it and another one. */
const cell = (xml: string): string =>
  `${textRows([['Email', 'Value']])}<row r="2"><c r="A2" t="inlineStr"><is><t>a@example.com</t></is></c>${xml}</row>`;

suite('a workbook', () => {
  test('is read with its form, its rows by their number, and the checksum of the file', async () => {
    const bytes = workbookOf({ sheets: [{ name: 'Staff', rows: people }] });
    for (const source of [await fileOf(bytes, 'staff.xlsx'), streamOf(bytes)]) {
      const { roster, rows, table } = await read(source);
      const { format, part, headerLine, notes, encoding, delimiter } = roster.form;
      assert.deepEqual(
        { format, part, headerLine, notes, encoding, delimiter },
        { format: 'xlsx', part: 'Staff', headerLine: 1, notes: [], encoding: 'utf-8', delimiter: ',' },
      );
      assert.deepEqual(table, [header, ['Åse', 'Ek', 'ase@example.com']]);
      assert.equal(rows[0]?.line, 2);
      assert.equal(roster.checksum(), createHash('sha256').update(bytes).digest('hex'));
    }
  });

  test('is known by its content, whatever it is called', async () => {
    const bytes = workbookOf({ sheets: [{ name: 'Staff', rows: people }] });
    assert.equal((await read(await fileOf(bytes, 'staff.csv'))).roster.form.format, 'xlsx');
    assert.match(
      await refusalOf(read(await fileOf(bytes), { format: 'csv' })),
      /an Excel workbook.*not csv\. Leave the format out, and it is detected/,
    );
    assert.match(
      await refusalOf(read(await fileOf('a,b\n1,2\n', 'x.xlsx'), { format: 'xlsx' })),
      /not an Excel workbook/,
    );
  });

  test('gives shared texts, with formatting inside and without what is only said beside it', async () => {
    const texts = [
      '<t>Ann</t>',
      '<r><t>An</t></r><r><rPr><b/></rPr><t>na</t></r><rPh><t>ruby</t></rPh>',
      '<t>a_x000A_b</t>',
    ];
    const rows = `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c></row><row><c t="s"><v>1</v></c><c t="s"/><c t="s"><v/></c></row>`;
    const { table } = await readSheet(rows, { texts });
    assert.deepEqual(table, [
      ['Ann', 'Anna', 'a\nb'],
      ['Anna', '', ''],
    ]);
  });

  const dates: [string, number | string, string, string][] = [
    ['a built-in date', 14, '45352', '2024-03-01'],
    ['a date with its time', 22, '45352.75', '2024-03-01 18:00:00'],
    ['a date of its own form', 'dd/mm/yyyy', '45352', '2024-03-01'],
    ['a date of a language', '[$-409]d. mmmm yyyy;@', '45352', '2024-03-01'],
    ['a time', 'h:mm', '0.5', '12:00:00'],
    ['a day before the day that never was', 14, '59', '1900-02-28'],
    ['the day that never was', 14, '60', '1900-02-28'],
    ['a number in a currency', '#,##0.00 "kr (day)"', '12.5', '12.5'],
    ['a number in red', '[Red]0.00', '12.5', '12.5'],
    ['a padded number', '00000', '123', '00123'],
    ['a number with nothing special', 'General', '4512345678', '4512345678'],
    ['a number in scientific form', 'General', '4.512345678E9', '4512345678'],
    ['a number that was computed', 'General', '0.30000000000000004', '0.3'],
    ['a day that is no day', 14, '-5', '-5'],
  ];
  for (const [what, format, value, text] of dates) {
    test(`gives ${what} as ${text}`, async () => {
      const { table } = await readSheet(cell(`<c r="B2" s="1"><v>${value}</v></c>`), { formats: [format] });
      assert.equal(table[1]?.[1], text);
    });
  }

  test('counts days from 1904 where it says so', async () => {
    const { table } = await readSheet(cell('<c r="B2" s="1"><v>43890</v></c>'), { formats: [14], is1904: true });
    assert.equal(table[1]?.[1], '2024-03-01');
  });

  test('gives booleans, ISO dates, and the results of formulas', async () => {
    const of = async (xml: string) => (await readSheet(cell(xml))).table[1]?.[1];
    assert.equal(await of('<c r="B2" t="b"><v>1</v></c>'), 'TRUE');
    assert.equal(await of('<c r="B2" t="b"><v>0</v></c>'), 'FALSE');
    assert.equal(await of('<c r="B2" t="d"><v>2024-03-01T00:00:00</v></c>'), '2024-03-01');
    assert.equal(await of('<c r="B2" t="str"><f>A1&amp;"x"</f><v>Sales</v></c>'), 'Sales');
  });

  test('reports what a spreadsheet has spoilt', async () => {
    const noteOf = async (xml: string) => {
      const { roster, table } = await readSheet(cell(xml));
      return [table[1]?.[1], ...roster.form.notes] as const;
    };
    assert.match(
      (await noteOf('<c r="B2"><v>1.2345678901234567E+17</v></c>'))[1] ?? '',
      /Staff, B2: a number of more than 15/,
    );
    assert.match((await noteOf('<c r="B2" t="str"><v>4.57E+11</v></c>'))[1] ?? '', /B2: a number that was shortened/);
    const [empty, error] = await noteOf('<c r="B2" t="e"><v>#N/A</v></c>');
    assert.equal(empty, '');
    assert.match(error ?? '', /an error of Excel/);
    assert.match(
      (await noteOf('<c r="B2"><f>A1</f></c>'))[1] ?? '',
      /^Staff, B2: a formula whose value was never stored.*Open the file in Excel or LibreOffice/,
    );
    const [unknown, written = ''] = await noteOf('<c r="B2"><f>A1</f><v/></c>');
    assert.match(
      `${unknown} ${written}`,
      /^#FORMULA! Staff, B2: a formula whose value was never stored/,
      'by openpyxl',
    );
    assert.deepEqual(await noteOf('<c r="B2" t="str"><f>A1</f><v></v></c>'), ['']);
    assert.deepEqual((await noteOf('<c r="B2"><v>7</v></c>')).slice(1), []);
  });

  test('says about a row that its address or group is a formula whose value was never stored', async () => {
    const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const formula = '<c><f>LOWER(A2)</f></c>';
    const row = (...cells: string[]): string => `<row>${cells.join('')}</row>`;
    const ann = [text('Ann'), text('Ek')];
    const sheets = [
      {
        name: 'IT',
        rows: row(...[...header, 'Team', 'Note'].map(text)) + row(...ann, formula, text('IT'), formula),
      },
      {
        name: 'HR',
        rows:
          row(...['Team', 'email', 'First name', 'Last name', 'Note'].map(text)) +
          row(text('HR'), formula, ...ann) +
          row(formula, text('a@example.com'), ...ann) +
          row(text('HR'), text('b@example.com'), ...ann, formula),
      },
    ];
    const { roster, rows } = await readWorkbook({ sheets }, { allSheets: true });
    const mapping = resolveColumns(roster.form.header, { groups: [], groupColumns: ['Team'] });
    const reasons = rows.map((one) => {
      const mapped = isReject(one) ? one : mapRow(one, mapping);
      return 'reason' in mapped ? `${mapped.column}: ${mapped.reason}` : 'is a person';
    });
    const never =
      /the cell holds a formula whose value was never stored: open the file in Excel or LibreOffice, save it/;
    assert.match(reasons[0] ?? '', new RegExp(`^Email: ${never.source}`));
    assert.match(reasons[1] ?? '', new RegExp(`^Email: ${never.source}`));
    assert.match(reasons[2] ?? '', new RegExp(`^Team: ${never.source}`));
    assert.equal(reasons[3], 'is a person');
  });

  test('gives rows the value of a cell that is merged over them, and says so', async () => {
    const rows = textRows([
      ['Team', 'Name', 'Email'],
      ['Sales', 'a', 'a@example.com'],
      ['', 'b', 'b@example.com'],
      ['', 'c', 'c@example.com'],
      ['', 'd', 'd@example.com'],
    ]);
    const { roster, table } = await readSheet(rows, {
      after: '<mergeCells count="1"><mergeCell ref="A2:A4"/></mergeCells>',
    });
    assert.deepEqual(
      table.map(([team]) => team),
      ['Team', 'Sales', 'Sales', 'Sales', ''],
    );
    assert.match(roster.form.notes.join(), /merged over several rows/);
  });

  test('finds the header below titles, and leaves out what is to its right', async () => {
    const rows = textRows([
      ['Our staff', '', ''],
      [],
      header,
      ['Ann', 'Ek', 'ann@example.com', 'a remark'],
      ['', '', ''],
    ]);
    const { roster, table, rows: found } = await readSheet(rows);
    assert.deepEqual(table, [header, ['Ann', 'Ek', 'ann@example.com']]);
    assert.equal(roster.form.headerLine, 3);
    assert.equal(found[0]?.line, 4);
    assert.match(roster.form.notes.join(), /something to the right of its header in one row/);
  });

  test('takes the header from the row that is named', async () => {
    const rows = textRows([
      ['x', 'y'],
      ['First Name', 'Email'],
      ['Ann', 'ann@example.com'],
    ]);
    const { table } = await readWorkbook({ sheets: [{ name: 'Staff', rows }] }, { headerLine: 2 });
    assert.deepEqual(table[0], ['First Name', 'Email']);
  });

  test('reads hidden rows, and says so', async () => {
    for (const hidden of ['1', 'true']) {
      const { roster, table } = await readSheet(people.replace('<row r="2">', `<row r="2" hidden="${hidden}">`));
      assert.equal(table.length, 2);
      assert.match(roster.form.notes.join(), /one hidden row/);
    }
  });

  test('gives the sheet whose header names a person, or the one that is named', async () => {
    const sheets = [
      {
        name: 'Read me',
        rows: textRows([
          ['Note', 'By'],
          ['Hello', 'me'],
        ]),
      },
      { name: 'Staff', rows: people },
      { name: 'Old', rows: people, state: 'hidden' as const },
      { name: 'Older', rows: people, state: 'veryHidden' as const },
    ];
    assert.equal((await readWorkbook({ sheets })).roster.form.part, 'Staff');
    assert.equal((await readWorkbook({ sheets }, { sheet: 'read me' })).table[0]?.[0], 'Note');
    assert.equal((await readWorkbook({ sheets }, { sheet: 'Old' })).roster.form.part, 'Old');
    assert.match(
      await refusalOf(readWorkbook({ sheets }, { sheet: 'x' })),
      /no sheet "x".*"Read me", "Staff", "Old", "Older"/,
    );
  });

  test('knows people by addresses, or by names and ids, where headings alone do not say it', async () => {
    const read = async (...tables: string[][][]) =>
      refusalOf(readWorkbook({ sheets: tables.map((table, at) => ({ name: `S${at}`, rows: textRows(table) })) }));
    const pupils = [
      ['学号', '姓名'],
      ['1', '张伟'],
    ];
    const contacts = [
      ['Who', 'Reach'],
      ['Ann Ek', 'ann@example.com'],
    ];
    const codes = [
      ['Code', 'Means'],
      ['x', 'y'],
    ];
    const message = await read(pupils, contacts, codes);
    assert.match(message, /"S0": .*, looks like people\n.*"S1": .*, looks like people\n.*"S2": .* does not look like/);
  });

  test('is refused where people are on several sheets', async () => {
    const sheets = ['Active', 'Former'].map((name) => ({ name, rows: people }));
    const legend = {
      name: 'Legend',
      rows: textRows([
        ['Code', 'Means'],
        ['x', 'y'],
      ]),
    };
    const message = await refusalOf(readWorkbook({ sheets: [...sheets, legend] }));
    assert.match(message, /the people can be on several sheets\. Name one, or read all that have the same columns\.$/m);
    assert.match(message, /^ {2}"Active": 1 row, 3 columns, looks like people$/m);
    assert.match(message, /^ {2}"Legend": 1 row, 2 columns, does not look like people$/m);
  });

  test('gives all sheets of the same columns where that is asked for, each row with its sheet', async () => {
    const sheets = [
      { name: 'IT', rows: people },
      {
        name: 'Legend',
        rows: textRows([
          ['Code', 'Means'],
          ['x', 'y'],
        ]),
      },
      {
        name: 'HR',
        rows: textRows([
          ['Email', 'LAST NAME', 'First Name'],
          ['bo@example.com', 'By', 'Bo'],
        ]),
      },
      {
        name: 'Left',
        rows: textRows([
          [...header, 'Last day'],
          ['Cy', 'Dal', 'cy@example.com', '2026-01-01'],
        ]),
      },
    ];
    const { table, rows, roster } = await readWorkbook({ sheets }, { allSheets: true });
    assert.deepEqual(table, [
      [...header, '_sheet'],
      ['Åse', 'Ek', 'ase@example.com', 'IT'],
      ['Bo', 'By', 'bo@example.com', 'HR'],
    ]);
    assert.match(rows[1]?.file ?? '', /staff\.xlsx\/HR$/);
    assert.equal(roster.form.part, 'IT, HR');
    assert.deepEqual(roster.form.notes, ['The sheet "Left" has other columns and was not read.']);
    const message = await refusalOf(
      readWorkbook({ sheets: [...sheets.slice(0, 1), ...sheets.slice(3)] }, { allSheets: true }),
    );
    const printed = textRows([header, ['Åse', 'Ek', 'ase@example.com'], header, ['Cy', 'Dal', 'cy@example.com']]);
    const pages = await readWorkbook(
      {
        sheets: [
          { name: 'A', rows: printed },
          { name: 'B', rows: people },
        ],
      },
      { allSheets: true },
    );
    assert.deepEqual(pages.rows.filter(isReject), [], 'a header that comes again on a sheet hides nobody');
    assert.deepEqual(pages.table.at(3), ['Cy', 'Dal', 'cy@example.com', 'A']);
    const unnamedAgain = textRows([
      [...header, '', 'x'],
      ['Åse', 'Ek', 'ase@example.com', '', 'x'],
      [...header, '', 'x'],
      ['Cy', 'Dal', 'cy@example.com', '', 'x'],
    ]);
    assert.deepEqual(
      (await readWorkbook({ sheets: [{ name: 'A', rows: unnamedAgain }] })).rows.filter(isReject),
      [],
      'nor one with a column that has no name',
    );
    const [it, legend, hr, left] = sheets;
    assert.ok(it && legend && hr && left);
    const hides = async (...found: SheetXml[]) => {
      const read = await readWorkbook({ sheets: found }, { allSheets: true });
      return [read.rows.map(({ hidesOthers }) => hidesOthers), read.roster.form.notes];
    };
    const unnamed = {
      name: 'Odd',
      rows: textRows([
        ['a', 'b'],
        ['Di', 'di@example.com'],
        ['Ed', 'ed@example.com'],
      ]),
    };
    const unread = 'has other columns and was not read.';
    assert.deepEqual(await hides(it, legend, hr), [[undefined, undefined], []]);
    assert.deepEqual(await hides(it, hr, left), [[true, true], [`The sheet "Left" ${unread}`]]);
    assert.deepEqual(await hides(it, { ...hr, state: 'hidden' }, { ...legend, state: 'hidden' }), [
      [true],
      ['The sheet "HR" is hidden and was not read.'],
    ]);
    assert.deepEqual(await hides(it, unnamed), [[true], [`The sheet "Odd" ${unread}`]]);
    assert.deepEqual(await hides(it, hr, unnamed), [[true, true], [`The sheet "Odd" ${unread}`]]);
    assert.match(message, /its sheets have different columns: "IT", "Left".*or import one of them/);
  });

  test('a workbook without people on any sheet is refused', async () => {
    assert.match(await refusalOf(readSheet('')), /no sheet of the workbook has a header with people/);
    assert.match(await refusalOf(readSheet(textRows([header]))), /no sheet of the workbook has a header with people/);
    assert.match(await refusalOf(readWorkbook({ sheets: [] })), /has no sheet with a table/);
  });

  test('any table of texts reads back equal', async () => {
    // XML cannot hold most control characters, and reads a lone carriage return as a line feed.
    const texts = hardCell.map((text) =>
      // oxlint-disable-next-line no-control-regex -- they are what is left out
      text.replace(/[\u0000-\u001f\ud800-\udfff\ufffe\uffff]|_x/gu, '·'),
    );
    const row = fc.array(texts, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
        const { table } = await readSheet(textRows([['Email', 'b', 'c', 'd'], ...rows, ['last']]));
        const expected = [...rows, ['last']]
          .map((cells) => [...cells, '', '', ''].slice(0, 4))
          .filter((cells) => cells.some((cell) => cell.trim() !== ''));
        assert.deepEqual(table.slice(1), expected);
      }),
      { numRuns: 60 },
    );
  });
});

test('days are written as the calendar has them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 61, max: 2_958_465 }), (day) => {
      const date = new Date(Date.UTC(1899, 11, 30) + day * 86_400_000);
      assert.equal(writeDate(day, true, false), date.toISOString().slice(0, 10));
    }),
  );
});

suite('what is wrong with a workbook is refused', () => {
  const damaged: [what: string, rows: string, message: RegExp][] = [
    ['XML that is cut off', '<row><c><v>1</v></c>', /the workbook is damaged/],
    ['an unknown entity', `${people}<row><c t="str"><v>&xxe;</v></c></row>`, /the workbook is damaged/],
    ['a column that no sheet has', `${people}<row r="3"><c r="ZZZ3"><v>1</v></c></row>`, /more than 2000 columns/],
    [
      'formulas beyond the last column',
      `${people}<row r="3"><c r="XFE3"><f>A1</f></c></row>`,
      /more than 2000 columns/,
    ],
    ['a row without a number', `${people}<row r="x"><c><v>1</v></c></row>`, /a row of "Staff" has no number/],
    ['elements inside each other', '<a>'.repeat(200), /more than 100 levels deep/],
  ];
  for (const [what, rows, message] of damaged) {
    test(what, async () => {
      assert.match(await refusalOf(readSheet(rows)), message);
    });
  }

  test('a document type, and with it entities that grow', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefgh'.replace(/./g, (name, at: number) => `<!ENTITY ${name} "${`&${'abcdefg'[at]};`.repeat(10)}">`)}]>`;
    const more = [{ name: 'xl/sharedStrings.xml', content: `${bomb}<sst><si><t>&h;</t></si></sst>` }];
    assert.match(await refusalOf(readWorkbook({ sheets: [{ name: 'Staff', rows: people }], more })), /document type/);
  });

  test('a text without end, before it takes memory', async () => {
    const rows = `${people}<row><c t="str"><v>${'x'.repeat(3_000_000)}</v></c></row>`;
    assert.match(await refusalOf(readSheet(rows)), /one value in it is longer than 1048576/);
  });

  test('values of many parts, and rows, that are longer than a record may be', async () => {
    const limits = { record: 10_000 };
    const refuse = (rows: string, more: Partial<WorkbookParts & SheetXml> = {}) =>
      refusalOf(readWorkbook({ sheets: [{ name: 'Staff', rows, ...more }], ...more }, { limits }));
    const parts = '<t>0123456789</t>'.repeat(2000);
    assert.match(
      await refuse(`${people}<row><c t="inlineStr"><is>${parts}</is></c></row>`),
      /one value in it is longer than 10000/,
    );
    assert.match(await refuse(people, { texts: [parts] }), /one value in it is longer than 10000/);
    const shared = `${people}<row>${'<c t="s"><v>0</v></c>'.repeat(20)}</row>`;
    assert.match(await refuse(shared, { texts: [`<t>${'x'.repeat(1000)}</t>`] }), /one row in it is longer than 10000/);
  });

  test('merged cells that make far more cells than there are', () => {
    const builder = new SheetBuilder('staff.xlsx', defaultLimits);
    builder.begin({ name: 'Staff', isHidden: false });
    for (let column = 0; column < 2000; column++) {
      builder.cell(column, 'x');
      builder.span(column, 10_000);
    }
    assert.throws(() => {
      for (let line = 1; line <= 10_000; line++) builder.row(line, false);
    }, /merged cells in it stand for more than 10000000 cells/);
  });

  test('sheets that are one part of the file count once', async () => {
    const sheets = Array.from({ length: 40 }, (_, at) => `<sheet name="Staff ${at}" sheetId="${at + 1}" r:id="rId1"/>`);
    const content = `<workbook xmlns:r="r"><sheets>${sheets.join('')}</sheets></workbook>`;
    const more = [{ name: 'xl/workbook.xml', content }];
    const { roster } = await readWorkbook({ sheets: [{ name: 'Staff', rows: people }], more });
    assert.equal(roster.form.part, 'Staff 0');
  });

  test('more text than may be held in memory', async () => {
    const texts = Array.from({ length: 1000 }, (_, at) => `<t>${xml('some text')} ${at}</t>`);
    const parts = { sheets: [{ name: 'Staff', rows: people }], texts };
    assert.match(await refusalOf(readWorkbook(parts, { limits: { texts: 10_000 } })), /Save it as CSV UTF-8/);
  });

  test('a binary workbook, an OpenDocument, a Word document', async () => {
    const of = async (...names: string[]) => fileOf(zipOf(names.map((name) => ({ name, content: 'x' }))), 'x.bin');
    assert.match(await refusalOf(read(await of('[Content_Types].xml', 'xl/workbook.bin'))), /\.xlsb/);
    assert.match(await refusalOf(read(await of('mimetype', 'content.xml'))), /OpenDocument/);
    assert.match(await refusalOf(read(await of('[Content_Types].xml', 'word/document.xml'))), /Word/);
  });
});

test('a workbook whose small parts are huge is refused', async () => {
  const more = [
    { name: 'xl/styles.xml', content: `<styleSheet><cellXfs>${'<xf/>'.repeat(15_000_000)}</cellXfs></styleSheet>` },
  ];
  const message = await refusalOf(readWorkbook({ sheets: [{ name: 'Staff', rows: people }], more }));
  assert.match(message, /xl\/styles\.xml in it is larger than any workbook needs/);
});
