import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import Papa from 'papaparse';
import { isReject, type Row } from '../../src/core/rows/row.ts';
import { encode, markOf } from '../../src/roster/text/encoding.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { fileOf, hardCell, read, readText, refusalOf, tableOf } from './reading.ts';

const header = 'First Name,Last Name,Work Email';
const ann = 'Ann,Ek,ann@example.com';
const table = [
  ['First Name', 'Last Name', 'Work Email'],
  ['Ann', 'Ek', 'ann@example.com'],
];

suite('lines above the header are left out and reported', () => {
  const above: [what: string, lines: string, headerLine: number, note: RegExp][] = [
    ['a title', 'Our staff\n', 2, /One line above the header left out: "Our staff"/],
    [
      'titles and blank lines',
      '\nOur staff\n\nPrinted 2026-03-01\n\n',
      6,
      /2 lines above the header left out: "Our staff"/,
    ],
    ['a title that a spreadsheet has padded', 'Our staff,,\n', 2, /One line above/],
    ['a title with a name and a value', 'Report:,\n', 2, /One line above/],
    ["Entra's version", 'version:v1.0\n', 2, /"version:v1\.0"/],
    ["Excel's separator", 'sep=,\n', 2, /The first line, sep=,, names the delimiter/],
    ["Excel's separator and a title", '"sep=,"\r\nOur staff\r\n', 3, /One line above the header left out: "Our staff"/],
  ];
  for (const [what, lines, headerLine, note] of above) {
    test(what, async () => {
      const { roster, rows, table: found } = await readText(`${lines}${header}\n${ann}\n`);
      assert.deepEqual(found, table);
      assert.equal(roster.form.headerLine, headerLine);
      assert.equal(rows[0]?.line, headerLine + 1);
      assert.match(roster.form.notes.join('\n'), note);
    });
  }

  test('also where the title has a delimiter of its own, and the names are not known', async () => {
    const { roster } = await readText('Staff; Sales\nPrénom,Nom,Équipe\nAnn,Ek,Sales\nBo,Ek,Sales\n');
    assert.equal(roster.form.delimiter, ',');
    assert.deepEqual(roster.form.header, ['Prénom', 'Nom', 'Équipe']);
  });

  test('but a person is never taken for the header', async () => {
    const text = `Staff\n${ann}\nBo,Ek,bo@example.com\n`;
    assert.match(await refusalOf(readText(text)), /no delimiter found in the header "Staff"/);
    const { roster } = await readText(',,Email\na,b,ann@example.com\nc,d,bo@example.com\n');
    assert.deepEqual(roster.form.header, ['', '', 'Email']);
  });

  test('and a header whose rows are ragged stays the header', async () => {
    for (const text of ['a,b,c\n1,2,,x\n,y\n0,z,17\n', 'email\nx@example.com,\n', 'a;b\n1;2;3\n1;2;3\n']) {
      const { roster } = await readText(text, text.startsWith('email') ? { delimiter: ',' } : {});
      assert.equal(roster.form.headerLine, 1);
    }
  });

  test('and a header whose people all stand in several groups stays the header', async () => {
    const groups = Array.from({ length: 6 }, (_, at) => `Group ${at}`).join(';');
    for (const people of [1, 20]) {
      const { roster, rows } = await readText(`${header},Groups\n${`${ann},${groups}\n`.repeat(people)}`);
      assert.deepEqual([roster.form.delimiter, roster.form.headerLine, rows.length], [',', 1, people]);
    }
  });

  test('where the line of the header is given, it is that one', async () => {
    const { roster } = await readText(`x,y\nu,v\n${header}\n${ann}\n`, { headerLine: 3 });
    assert.equal(roster.form.headerLine, 3);
    assert.match(roster.form.notes.join(), /2 lines above/);
  });
});

suite('separator lines', () => {
  for (const [delimiter, sep] of [
    [';', 'sep=;'],
    ['\t', 'sep=\t'],
    ['^', 'SEP=^'],
    ['|', '"sep=|"'],
  ] as const) {
    test(`${JSON.stringify(sep)} is believed`, async () => {
      for (const newline of ['\n', '\r\n', '\r']) {
        const text = [sep, header.replaceAll(',', delimiter), ann.replaceAll(',', delimiter), ''].join(newline);
        const { roster, table: found } = await readText(text);
        assert.deepEqual(found, table);
        assert.equal(roster.form.delimiter, delimiter);
        const wide = Buffer.concat([markOf('utf-16le'), encode(text, 'utf-16le')]);
        assert.deepEqual((await read(await fileOf(wide))).table, table);
      }
    });
  }
});

test("Entra's example row is left out, and only there", async () => {
  const example = 'Example: Chris Green,Green,chris@contoso.com';
  const { rows } = await readText(`version:v1.0\n${header}\n${example}\n${ann}\n`);
  assert.deepEqual(
    (rows as Row[]).map(({ leftOut }) => leftOut),
    ['it is the example of the template', undefined],
  );
  const { rows: others } = await readText(`${header}\n${example}\n${ann}\n`);
  assert.equal((others[0] as Row).leftOut, undefined);
});

suite('rows that stand in one quoted cell', () => {
  const quoted = (line: string) => `"${line.replaceAll('"', '""')}"`;

  test('are unwrapped with their header, once, with a note', async () => {
    const text = [header, ann, '"Bo ""B""","Ek, Jr",bo@example.com', '"a,""b""",c,d'].map(quoted).join('\n');
    const { roster, table: found } = await readText(text);
    assert.deepEqual(found, [...table, ['Bo "B"', 'Ek, Jr', 'bo@example.com'], ['a,"b"', 'c', 'd']]);
    assert.match(roster.form.notes.join(), /Each row is one quoted cell/);
  });

  test('are unwrapped under a header that does not, whatever parts the cells', async () => {
    const text = [header, ...Array.from({ length: 5 }, () => quoted(ann))].join('\n').replaceAll(',', ';');
    const { roster, table: found } = await readText(text);
    assert.deepEqual(found.slice(0, 2), table);
    assert.equal(roster.form.delimiter, ';');
  });

  test('stay as they are where most rows do not', async () => {
    const { rows, roster } = await readText(`${header}\n${ann}\n${ann}\n${quoted(ann)}\n`);
    assert.deepEqual(rows[2]?.cells, [ann, '', '']);
    assert.deepEqual(roster.form.notes, []);
  });

  test('give back any table', async () => {
    const cell = hardCell.map((text) => text.replace(/[\n\r\ufeff]/g, ' '));
    const tables = tableOf(cell).filter(([header]) => (header?.length ?? 0) > 1);
    await fc.assert(
      fc.asyncProperty(tables, async ([, ...rows]) => {
        const whole = [rows[0]?.map((_, at) => `column ${at}`) ?? [], ...rows];
        const lines = Papa.unparse(whole, { newline: '\n', quotes: true }).split('\n');
        const { table: found } = await readText(lines.map(quoted).join('\n'));
        assert.deepEqual(found, whole);
      }),
      { numRuns: 100 },
    );
  });
});

suite('text that was already spoilt is reported once, with its line', () => {
  const notes = async (text: string | Uint8Array) => {
    const { roster } = await read(await fileOf(text));
    return roster.form.notes;
  };
  const filler = `${ann}\n`.repeat(10_000);

  test('text that was decoded wrongly', async () => {
    for (const name of ['Ã…se', 'JosÃ©', 'Dâ€™Arcy']) {
      const [note = '', ...more] = await notes(`${header}\n${filler}${name},Ek,x\n${name},Ek,x\n`);
      assert.match(note, /^Line 10002 holds ".+", which looks like text that was decoded wrongly/);
      assert.deepEqual(more, []);
    }
    assert.deepEqual(await notes(`${header}\nJOÃO,Ângela,x\n`), []);
  });

  test('characters that were lost', async () => {
    assert.match((await notes(`${header}\nJos\ufffd,Ek,x\n`))[0] ?? '', /Line 2 holds a replacement character/);
  });

  test('numbers that a spreadsheet has shortened', async () => {
    assert.match((await notes(`${header}\n${ann}\n4.57E+11,Ek,x\n`))[0] ?? '', /Line 3 holds "4\.57E\+11"/);
    assert.match((await notes(`${header}\n${ann}\n"4,57E+11",Ek,x\n`))[0] ?? '', /Line 3/);
    assert.deepEqual(await notes(`${header}\nTEAM1E+10x,Ek,1E+1\n`), []);
  });

  test('and a second reading says nothing twice', async () => {
    const roster = await openRoster(await fileOf(`${header}\nJosÃ©,Ek,x\n`));
    for (let pass = 0; pass < 2; pass++) for await (const _ of roster.batches());
    assert.equal(roster.form.notes.length, 1);
  });
});

suite('headers', () => {
  test('may have names twice and cells without a name, with a note', async () => {
    const { roster } = await readText('Email,Team,,Team,\na,b,c,d,e\n');
    assert.deepEqual(roster.form.notes, [
      'The column "Team" appears in the header 2 times (columns 2, 4).',
      'The header has no name for columns 3, 5.',
    ]);
  });

  test('may have 2,000 columns, and not more than the limit', async () => {
    const wide = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `column ${at}`);
      return `Email,${names.join(',')}\na@example.com,${names.join(',')}\n`;
    };
    const { rows, roster } = await readText(wide(1999));
    assert.equal(roster.form.header.length, 2000);
    assert.equal(rows[0]?.cells.at(-1), 'column 1998');
    assert.match(await refusalOf(readText(wide(2000))), /more than 2000 columns.*raise read\.limits\.columns/);
    assert.match(
      await refusalOf(readText(`Email,Name${','.repeat(200_000)}\na@example.com,Ann\n`)),
      /more than 2000 columns/,
    );
    const beside = ','.repeat(16_382);
    const exported = await readText(`Email,Name${beside}\na@example.com,Ann${beside}\nb@example.com,Bo\n`);
    assert.deepEqual(
      [exported.roster.form.header.slice(0, 3), exported.rows.map((row) => 'reason' in row || row.cells.slice(0, 2))],
      [
        ['Email', 'Name', ''],
        [
          ['a@example.com', 'Ann'],
          ['b@example.com', 'Bo'],
        ],
      ],
    );
  });
});

test('a short row says which cells it does not have', async () => {
  const { rows } = await readText('a,b,c\n1\n1,2,3\n1,2,\n');
  assert.deepEqual(
    rows.map((row) => (isReject(row) ? [] : row.missing && [...row.missing])),
    [[1, 2], undefined, undefined],
  );
});

test('rows below a header of other columns may be of people who would count as missing', async () => {
  const { rows } = await readText(
    'First name,Last name,Email\nAnn,Ek,ann@x.org\nName,Team,Email\nBo Ek,Acme,bo@x.org\n',
  );
  assert.deepEqual(
    rows.map((row) => isReject(row) && row.hidesOthers),
    [false, undefined, true],
  );
});
