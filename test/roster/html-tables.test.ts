import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OpenOptions } from '../../src/roster/open-roster.ts';
import { fileOf, read as readSource, refusalOf, streamOf } from './reading.ts';

const rows =
  '<tr><th>First Name<th>Last Name<th>Email</tr><tr><td>&Aring;se</td><td>Ek</td><td>ase@example.com</td></tr>';
const table = `<table border=1>${rows}</table>`;
const people = [
  ['First Name', 'Last Name', 'Email'],
  ['Åse', 'Ek', 'ase@example.com'],
];

const readHtml = async (html: string | Uint8Array, options?: OpenOptions) =>
  readSource(await fileOf(html, 'staff.xls'), options);

suite('a web page that is called .xls', () => {
  test('is read with its form, from a file and from a stream', async () => {
    const page = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td { color: red }</style></head><body>${table}</body></html>`;
    for (const source of [await fileOf(page, 'staff.xls'), streamOf(Buffer.from(page))]) {
      const { roster, rows: found, table: read } = await readSource(source);
      assert.equal(roster.form.format, 'html');
      assert.equal(roster.form.part, 'Table 1');
      assert.deepEqual(read, people);
      assert.equal(found[0]?.line, 2);
    }
  });

  for (const [what, html] of Object.entries({
    'is a table alone': table,
    'has no ends of rows and cells': `<TABLE>${rows.replaceAll(/<\/t[rdh]>/g, '')}</TABLE>`,
    'has its table inside of others': `<body><table><tr><td>Report</td></tr><tr><td>${table}</td></tr></table>`,
    'has scripts and comments': `<html><script>if (1 < 2) "<table>"</script><!-- <table> --><body>${table}`,
    'is XHTML': `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html><html xmlns="x"><body>${table}</body></html>`,
  })) {
    test(`and ${what}`, async () => assert.deepEqual((await readHtml(html)).table, people));
  }

  test('has most columns without a name', async () => {
    // Found by fuzzing: a search for each of them kept the processor busy for minutes.
    const { table } = await readHtml(
      '<table><tr><td>First Name<td>Last Name<td colspan=1990>Email<td>Groups</tr><tr><td>Bo<td>By<td colspan=1990>bo@example.com<td>IT</tr></table>',
    );
    assert.deepEqual(table[1]?.filter(Boolean), ['Bo', 'By', 'bo@example.com', 'IT']);
    assert.equal(table[1]?.length, 1993);
  });

  test('gives lines, spaces and merged cells as they show', async () => {
    const { table } = await readHtml(
      '<table><tr><td>Department<td>Name<td>Email</tr><tr><td rowspan=2>IT\n  &nbsp;&amp; Co<td>Ann<br>Ek<td>a@example.com</tr><tr><td colspan=1>Bo<td>b@example.com</tr></table>',
    );
    assert.deepEqual(table.slice(1), [
      ['IT & Co', 'Ann\nEk', 'a@example.com'],
      ['IT & Co', 'Bo', 'b@example.com'],
    ]);
    const empty = await readHtml(
      '<table><tr><td>Email<td>Phone<td>Site<td>Dept<td>Town</tr><tr><td rowspan=2>a@example.com<td rowspan=2 colspan=2>&nbsp;<td>Sales<td>Oslo</tr><tr><td>IT<td>Bergen</tr></table>',
    );
    assert.deepEqual(empty.table[2], ['a@example.com', '', '', 'IT', 'Bergen']);
  });

  test('is read in the encoding that it says, that is told, or that it is found to be in', async () => {
    const of = (meta: string) =>
      Buffer.from(`<html>${meta}<table>${rows.replace('&Aring;', '\xa3')}</table>`, 'latin1');
    const meta = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">';
    assert.equal((await readHtml(of(meta))).table[1]?.[0], 'Łse');
    assert.equal((await readHtml(of(''), { encoding: 'iso-8859-2' })).table[1]?.[0], 'Łse');
    assert.equal((await readHtml(table.replace('&Aring;', 'Å'))).table[1]?.[0], 'Åse');
    const wrong = Buffer.from(`<html>${meta}${table.replace('&Aring;', 'Å')}`);
    assert.equal((await readHtml(wrong)).table[1]?.[0], 'Åse', 'what its bytes are, where it says something else');
    assert.match(await refusalOf(readHtml(wrong, { encoding: 'windows-1250' })), /it is UTF-8, not windows-1250/);
    assert.match(
      await refusalOf(readHtml(of('<meta charset=iso-2022-jp>'))),
      /"iso-2022-jp" is not a supported encoding/,
    );
  });

  test('is refused where it is a login page or has no people', async () => {
    const form = '<!DOCTYPE html><html><table><tr><td>User</td></tr><tr><td>Password</td></tr></table>';
    assert.match(await refusalOf(readHtml(form)), /web page or XML, not a list.*login page/);
    assert.match(await refusalOf(readHtml('<html><body>Please sign in</body></html>')), /login page/);
  });

  test('is refused where it is cut off, too deep, or another format is asked for', async () => {
    assert.match(
      await refusalOf(readHtml(`<html><body>${table.slice(0, -12)}`)),
      /a table in it does not end: it was cut off/,
    );
    assert.match(await refusalOf(readHtml('<div>'.repeat(5000) + table)), /more than 500 levels deep/);
    assert.match(
      await refusalOf(readHtml(`<table><tr><td ${'x'.repeat(3_000_000)}`)),
      /longer than 1048576 characters/,
    );
    assert.match(
      await refusalOf(readHtml(`<table><tr><td>${'x'.repeat(3_000_000)}</table>`)),
      /longer than 1048576 characters/,
    );
    assert.match(
      await refusalOf(readHtml(`<table><tr><td>${'word<b></b>'.repeat(300_000)}</table>`)),
      /one value in it is longer than 1048576 characters/,
    );
    assert.match(
      await refusalOf(readHtml(table, { format: 'csv' })),
      /this is a web page, not csv\. Leave the format out, and it is detected/,
    );
  });
});

suite('the XML of Excel 2003', () => {
  const workbook = (sheet: string, first = '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>') =>
    `${first}<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Staff"><Table>${sheet}</Table></Worksheet></Workbook>`;
  const cell = (text: string, type = 'String', more = '') =>
    `<Cell${more}><Data ss:Type="${type}">${text}</Data></Cell>`;
  const head = `<Row>${['Email', 'A', 'B'].map((name) => cell(name)).join('')}</Row>`;

  test('is read with dates, numbers, gaps and merged cells', async () => {
    const { roster, table, rows } = await readHtml(
      workbook(
        `${head}<Row ss:Index="4">${cell('a@example.com')}${cell('2024-03-01T00:00:00.000', 'DateTime', ' ss:MergeDown="1"')}${cell('4.512345678E9', 'Number')}</Row>` +
          `<Row>${cell('b@example.com')}${cell('1', 'Boolean', ' ss:Index="3"')}</Row>`,
      ),
    );
    assert.equal(roster.form.format, 'xls');
    assert.deepEqual(table.slice(1), [
      ['a@example.com', '2024-03-01', '4512345678'],
      ['b@example.com', '2024-03-01', 'TRUE'],
    ]);
    assert.deepEqual(
      rows.map(({ line }) => line),
      [4, 5],
    );
  });

  test('is read in the encoding that it says', async () => {
    const first = '<?xml version="1.0" encoding="windows-1250"?>';
    const bytes = Buffer.from(workbook(`${head}<Row>${cell('a@example.com')}${cell('\xa3')}</Row>`, first), 'latin1');
    assert.equal((await readHtml(bytes)).table[1]?.[1], 'Ł');
  });

  test('is refused where it is cut off, or has rows that there cannot be', async () => {
    assert.match(await refusalOf(readHtml(workbook(head).slice(0, -30))), /workbook is damaged/);
    assert.match(
      await refusalOf(readHtml(workbook(`${head}<Row ss:Index="9999999">${cell('x')}</Row>`))),
      /more than 1048576 rows/,
    );
    assert.match(
      await refusalOf(readHtml(workbook(`<Row>${cell('x', 'String', ' ss:Index="99999"')}</Row>`))),
      /more than 2000 columns/,
    );
  });
});
