import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Secret } from '../../../../src/core/secrets/secret.ts';
import { defaultLimits } from '../../../../src/roster/files/limits.ts';
import { openRoster } from '../../../../src/roster/open-roster.ts';
import { lockedOf, lockedOf2007 } from '../../../roster/locked-writer.ts';
import { odsOf, odsRows, odsSheet } from '../../../roster/ods-writer.ts';
import { textRows, workbookOf } from '../../../roster/workbook-writer.ts';
import { xlsOf } from '../../../roster/xls-writer.ts';
import { zipOf } from '../../../roster/zip-writer.ts';
import { textOfParts, zipOfText } from '../parts.ts';
import { type FuzzTarget, never } from '../target.ts';

const table = [
  ['First Name', 'Last Name', 'Email', 'Groups'],
  ['Ann', 'Ash', 'ann@example.com', 'Sales; "IT"'],
  ['Bo', 'Birk\nSmith', 'bo@example.com', 'Müller, Søn & Co'],
];
const csv = table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
const people = [{ name: { given: 'Ann', family: 'Ash' }, emails: [{ value: 'ann@example.com' }], groups: ['Sales'] }];
const page = `<html><body><table><tr>${table.map((row) => row.map((cell) => `<td colspan=1>${cell}</td>`).join('')).join('</tr><tr>')}</tr></table></body></html>`;

/** Much less than a file may have, so that what grows without a bound is noticed. */
const limits = {
  ...defaultLimits,
  bytes: 4 * 1024 ** 2,
  unpacked: 16 * 1024 ** 2,
  texts: 4 * 1024 ** 2,
  joined: 10_000,
};

const password = new Secret('fuzz');

async function readRoster(bytes: Buffer): Promise<void> {
  const roster = await openRoster(Readable.from([bytes]), { name: 'fuzz', limits, password });
  try {
    let rows = 0;
    for await (const batch of roster.batches()) {
      for (const { line, cells } of batch) {
        never(`a row has line ${line}`, !(Number.isSafeInteger(line) && line >= 1));
        never(
          'a cell is not text',
          cells.some((cell) => typeof cell !== 'string'),
        );
      }
      if ((rows += batch.length) > 100_000) break;
    }
  } finally {
    await roster.close();
  }
}

const workbook = workbookOf({
  sheets: [
    { name: 'Staff', rows: textRows(table), after: '<mergeCells><mergeCell ref="A3:B3"/></mergeCells>' },
    {
      name: 'More',
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" s="1"><v>45000.5</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>',
      state: 'hidden',
    },
  ],
  texts: ['<t>Ann</t>', '<r><t>B</t></r><r><t>o</t></r>'],
  formats: ['dd.mm.yyyy', 14, '0.00%'],
});
const sheet = odsOf(
  odsSheet(
    'Staff',
    odsRows(table) +
      '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="2" office:value-type="date" office:date-value="2026-01-02"/></table:table-row>',
  ),
);
const xml = [
  ...[
    '<',
    '/>',
    '</',
    '&amp;',
    '&#x10FFFF;',
    '&#0;',
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '<![CDATA[',
    ']]>',
    '<?xml ',
    '<!--',
    '-->',
  ],
  ...[
    '<c t="s"><v>999999999</v></c>',
    '<c t="inlineStr">',
    '<c r="XFD1048576">',
    'r="A1"',
    's="9"',
    '<row r="1048576">',
    '<v>1e309</v>',
    '<v>-1</v>',
  ],
  ...[
    '<mergeCell ref="A1:XFD1048576"/>',
    'ref="B1:A9"',
    '<si/>',
    '<t xml:space="preserve">',
    'date1904="1"',
    'formatCode="[$-F800]"',
  ],
  ...['Target="../../../x.xml"', 'Target="/xl/workbook.xml"', 'Id="rId1"', 'r:id="rId2"', 'sheetId="0"'],
  ...[
    'table:number-rows-repeated="1048576"',
    'table:number-columns-repeated="16384"',
    'table:number-columns-repeated="-1"',
  ],
  ...[
    'office:value-type="float" office:value="1e400"',
    'office:date-value="99999-99-99"',
    '<table:covered-table-cell/>',
    '<text:s text:c="99999999"/>',
    '<table:table-header-rows>',
    '\n=== xl/worksheets/sheet1.xml\n',
    '\n=== content.xml\n',
  ],
];
const zipWords = [
  'PK\x01\x02',
  'PK\x03\x04',
  'PK\x05\x06',
  'PK\x06\x06',
  'PK\x06\x07',
  '\xff\xff\xff\xff',
  '\xff\xff',
  '../x',
  'a.csv',
  '\x08\0',
  '\x1f\x8b\x08',
];
const textWords = [
  ...[
    '"',
    '""',
    '\n',
    '\r',
    '\r\n',
    '\0',
    ',',
    ';',
    '\t',
    '|',
    '\xff\xfe',
    '\xfe\xff',
    '\xef\xbb\xbf',
    'sep=;\n',
    '=1+1',
    "'",
    '\x1a',
  ],
  ...[
    '<table>',
    '<td rowspan=999999999>',
    '<td colspan=999999>',
    '</tr>',
    '<meta charset=utf-7>',
    '<!--',
    '<script>',
    '\xe9\xe8',
    '\x80\x81',
    '-----BEGIN PGP MESSAGE-----',
  ],
];

/** The files of people. */
export const rosters: FuzzTarget[] = [
  {
    name: 'text',
    good: [csv, csv.replaceAll(',', ';'), `\ufeff${csv}`, page]
      .map((text) => Buffer.from(text))
      .concat(Buffer.from(`\ufeff${csv}`, 'utf16le'), Buffer.from(csv, 'latin1')),
    words: textWords,
    form: 'lines',
    read: readRoster,
  },
  {
    name: 'json',
    good: [
      JSON.stringify(people),
      `${JSON.stringify(people[0])}\n${JSON.stringify(people[0])}\n`,
      JSON.stringify({ Resources: people, next: null }),
    ].map((text) => Buffer.from(text)),
    words: [
      '[[',
      '[{',
      '}]',
      '{"":',
      '"__proto__":',
      '"a.b":',
      '"a[0]":',
      '\\u0000',
      '\\ud800',
      '1e999',
      '-0',
      'null',
      '\n{',
      '\ufeff',
    ],
    form: 'json',
    read: readRoster,
  },
  { name: 'xlsx', good: [workbook], words: zipWords, read: readRoster },
  {
    name: 'xlsx-parts',
    good: [textOfParts(workbook)],
    words: xml,
    read: (text) => readRoster(zipOfText(text)),
  },
  { name: 'ods', good: [sheet], words: zipWords, read: readRoster },
  { name: 'ods-parts', good: [textOfParts(sheet)], words: xml, read: (text) => readRoster(zipOfText(text)) },
  {
    name: 'xls',
    good: [xlsOf({ sheets: [{ name: 'Staff', rows: table }] })],
    words: [
      '\xd0\xcf\x11\xe0',
      '\x09\x08',
      '\xfc\0',
      '\x3c\0',
      '\xfd\0',
      '\x04\x02',
      '\x85\0',
      '\x0a\0\0\0',
      '\xfe\xff\xff\xff',
      '\xff\xff\xff\xff',
      '\x06\0',
      '\xe5\0',
      '\xbd\0',
      '\xbe\0',
      '\xd6\0',
      '\x2f\0',
    ],
    read: readRoster,
  },
  {
    name: 'locked',
    good: [
      lockedOf(Buffer.concat([workbook, Buffer.alloc(4096)]), { password: 'fuzz', spinCount: 10 }),
      lockedOf2007(workbook, 'fuzz'),
    ],
    words: [
      'spinCount="',
      '999999',
      'keyBits="',
      'SHA1',
      'saltValue="',
      '<keyData ',
      '<p:encryptedKey ',
      '\x04\0\x02\0',
    ],
    read: readRoster,
  },
  {
    name: 'zip',
    good: [
      zipOf([{ name: 'staff.csv', content: csv }]),
      zipOf([
        { name: 'a.csv', content: csv },
        { name: 'b.csv', content: csv },
      ]),
      gzipSync(csv),
      zipOf([{ name: 'staff.xlsx', content: workbook }]),
    ],
    words: zipWords,
    read: readRoster,
  },
];
