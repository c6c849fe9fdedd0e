import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { OpenOptions } from '../../src/roster/open-roster.ts';
import { fileOf, hardCell, read, refusalOf, streamOf } from './reading.ts';
import { compoundFile, record, shorts, streamOfXls, xlsOf, type XlsCell, type XlsParts } from './xls-writer.ts';

const header = ['First Name', 'Last Name', 'Email'];
const people = [header, ['Åse', 'Ek', 'ase@example.com']];

async function readXls(parts: XlsParts, options?: OpenOptions) {
  return read(await fileOf(xlsOf(parts), 'staff.xls'), options);
}

const cell = (value: XlsCell, more: Partial<XlsParts> = {}) =>
  readXls({
    sheets: [
      {
        name: 'Staff',
        rows: [
          ['Email', 'Value'],
          ['a@example.com', value],
        ],
      },
    ],
    ...more,
  });

suite('an old workbook (.xls)', () => {
  for (const isInline of [false, true]) {
    test(`with ${isInline ? 'texts in its cells' : 'shared texts'} is read with its form, from a file and from a stream`, async () => {
      const bytes = xlsOf({ sheets: [{ name: 'Staff', rows: people }], isInline });
      for (const source of [await fileOf(bytes, 'staff.csv'), streamOf(bytes)]) {
        const { roster, rows, table } = await read(source);
        const { format, part, headerLine, notes } = roster.form;
        assert.deepEqual(
          { format, part, headerLine, notes },
          { format: 'xls', part: 'Staff', headerLine: 1, notes: [] },
        );
        assert.deepEqual(table, people);
        assert.equal(rows[0]?.line, 2);
        assert.match(roster.checksum(), /^[0-9a-f]{64}$/);
      }
    });

    test(`with ${isInline ? 'texts in its cells' : 'shared texts'} gives dates as ISO days, and other values as they show`, async () => {
      const formats = [14, 'dd/mm/yyyy hh:mm', '00000', 22];
      const value = async (number: number, style: number, is1904 = false) =>
        (await cell({ number, style }, { isInline, formats, is1904 })).table[1]?.[1];
      assert.equal(await value(45352, 1), '2024-03-01');
      assert.equal(await value(45352.75, 2), '2024-03-01 18:00:00');
      assert.equal(await value(123, 3), '00123');
      assert.equal(await value(45352 - 1462, 1, true), '2024-03-01');
      assert.equal(await value(4_512_345_678, 0), '4512345678');
      assert.equal((await cell(true, { isInline })).table[1]?.[1], 'TRUE');
      assert.equal((await cell({ formula: 'Zoë' }, { isInline })).table[1]?.[1], 'Zoë');
      assert.match((await cell({ error: true }, { isInline })).roster.form.notes.join(), /B2: an error of Excel/);
    });
  }

  test('that is records alone is read', async () => {
    const bytes = streamOfXls({ sheets: [{ name: 'Staff', rows: people }] });
    const first = record(0x809, shorts(0x600, 5, 0, 0), Buffer.alloc(8));
    // The first record of Excel is eight bytes longer than ours; where the sheet begins stands in record 0x85.
    const rest = bytes.subarray(12);
    for (let at = 0; at < rest.length; at += 4 + rest.readUInt16LE(at + 2)) {
      if (rest.readUInt16LE(at) === 0x85) rest.writeUInt32LE(rest.readUInt32LE(at + 4) + 8, at + 4);
    }
    assert.deepEqual((await read(await fileOf(Buffer.concat([first, rest])))).table, people);
  });

  test('gives merged cells to every row, and says so, as it does of hidden rows', async () => {
    const rows = [
      ['Department', 'Email'],
      ['IT', 'a@example.com'],
      [undefined, 'b@example.com'],
    ];
    const sheet = { name: 'Staff', rows, merges: [[1, 2, 0]] as const, hiddenRows: [2] };
    const { table, roster } = await readXls({ sheets: [sheet] });
    assert.deepEqual(table[2], ['IT', 'b@example.com']);
    assert.match(roster.form.notes.join(), /merged over several rows.*one hidden row/);
  });

  test('of any texts reads back equal, however long they are together', async () => {
    const texts = fc.array(fc.oneof(hardCell, fc.string({ unit: 'binary', maxLength: 3000 })), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(texts, async (cells) => {
        const values = cells.map((text) => text.toWellFormed().replaceAll('\0', '0').replace(/^'+/, ''));
        const rows = [['Email', 'Name'], ...values.map((text) => ['a@example.com', text])];
        const { table } = await readXls({ sheets: [{ name: 'Staff', rows }] });
        assert.deepEqual(
          table.slice(1).map(([, text]) => text),
          values.map((text) => (/^'[=+\-@\t\r\n\uff1d]/.test(text) ? text.slice(1) : text)),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('without visible people names what was hidden when it is asked for', async () => {
    const sheets = [
      { name: 'Old', rows: people, isHidden: true },
      { name: 'Staff', rows: people },
    ];
    assert.equal((await readXls({ sheets })).roster.form.part, 'Staff');
    assert.equal((await readXls({ sheets }, { sheet: 'Old' })).roster.form.part, 'Old');
  });
});

suite('what is wrong with an old workbook is refused:', () => {
  const sheets = [{ name: 'Staff', rows: people }];
  const refuse = async (bytes: Uint8Array, options?: OpenOptions) =>
    refusalOf(read(await fileOf(bytes, 'staff.xls'), options));

  test('a password', async () => {
    assert.match(
      await refuse(xlsOf({ sheets, isLocked: true })),
      /locked with a password.*save it without the password/,
    );
  });

  test('Excel 5 and before: save it as .xlsx', async () => {
    const alone = [0x0908_0800, 0x0900_0400, 0x0902_0600, 0x0904_0600].map((start) => {
      const bytes = Buffer.alloc(64);
      bytes.writeUInt32BE(start);
      return bytes;
    });
    for (const bytes of [xlsOf({ sheets, version: 'old' }), streamOfXls({ sheets, version: 'old' }), ...alone]) {
      assert.match(await refuse(bytes), /staff\.xls: this is a workbook from before Excel 97.* save it as \.xlsx\.$/);
    }
  });

  test('what is no workbook', async () => {
    assert.match(await refuse(compoundFile({ WordDocument: Buffer.from('x') })), /a Word document, not a workbook/);
    assert.match(
      await refuse(compoundFile({ '__properties_version1.0': Buffer.from('x') })),
      /an e-mail, not a workbook/,
    );
    assert.match(
      await refuse(xlsOf({ sheets }), { format: 'csv' }),
      /an old Excel workbook.*not csv\. Leave the format out, and it is detected/,
    );
  });

  test('a file that is cut off, wherever', async () => {
    const bytes = xlsOf({
      sheets: [{ name: 'Staff', rows: [header, ...Array.from({ length: 900 }, () => people[1] ?? [])] }],
    });
    for (const length of [20, 511, 600, 5000, bytes.length >> 1, bytes.length - 600]) {
      assert.match(await refuse(bytes.subarray(0, length)), /damaged or cut off/, `${length}`);
    }
    assert.match(await refuse(xlsOf({ sheets, isCut: true })), /damaged or cut off/);
  });

  test('chains of sectors that go in a circle', async () => {
    const bytes = xlsOf({ sheets });
    const fatAt = 512 * (1 + bytes.readUInt32LE(76));
    bytes.writeUInt32LE(0, fatAt);
    assert.match(await refuse(bytes), /damaged or cut off/);
    const lists = xlsOf({ sheets });
    lists.writeUInt32LE(0, 68);
    assert.match(await refuse(lists), /damaged or cut off/);
  });

  test('cells beyond what may be held, and columns that there cannot be', async () => {
    const many = Array.from({ length: 400 }, () => ['a@example.com', ...Array.from({ length: 50 }, () => 'x')]);
    const bytes = xlsOf({ sheets: [{ name: 'Staff', rows: [header, ...many] }] });
    assert.match(await refuse(bytes, { limits: { texts: 100_000 } }), /more text than 100000 characters/);
    const inline = xlsOf({ sheets: [{ name: 'Staff', rows: [header, ...many] }], isInline: true });
    assert.match(await refuse(inline, { limits: { texts: 100_000 } }), /of cells, which would be held in memory/);
    const stream = streamOfXls({ sheets });
    const at = stream.indexOf(record(0xfd, shorts(0, 0, 0, 0, 0)));
    stream.writeUInt16LE(60_000, at + 6);
    assert.match(await refuse(compoundFile({ Workbook: stream })), /damaged/);
  });

  test('sheets that share their records, more sheets than there may be, a record that is continued without end', async () => {
    const large = { name: 'Large', rows: Array.from({ length: 500 }, () => people[1] ?? []) };
    const stream = streamOfXls({ sheets: [large, ...sheets] });
    const listed: number[] = [];
    for (let at = 0; at < stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
      if (stream.readUInt16LE(at) === 0x85) listed.push(at + 4);
    }
    const [first = 0, second = 0] = listed;
    stream.copy(stream, second, first, first + 4);
    assert.match(await refuse(compoundFile({ Workbook: stream })), /damaged or cut off/);

    const many = Array.from({ length: 20 }, (_, at) => ({ name: `Staff ${at}`, rows: people }));
    assert.match(await refuse(xlsOf({ sheets: many }), { limits: { files: 10 } }), /more than 10 sheets/);

    const endless = Buffer.concat([record(0x809, shorts(0x600, 5, 0, 0)), Buffer.alloc(600_000, record(0x3c))]);
    assert.match(await refuse(compoundFile({ Workbook: endless })), /damaged or cut off/);
  });

  test('a list of names that is longer than any workbook has', async () => {
    const bytes = compoundFile({ Workbook: Buffer.alloc(2_000_000) });
    // Its first sector has the number 0.
    bytes.writeUInt32LE(0, 48);
    assert.match(await refuse(bytes), /damaged or cut off/);
  });

  test('any bytes in its place: a refusal, never a crash', async () => {
    const stream = streamOfXls({ sheets });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(stream.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        async (changes) => {
          const bytes = Buffer.from(stream);
          for (const [at, byte] of changes) bytes[at] = byte;
          const path = await fileOf(compoundFile({ Workbook: bytes }), 'staff.xls');
          await read(path).catch(async (error: unknown) => refusalOf(Promise.reject(error)));
        },
      ),
      { numRuns: 150 },
    );
  });
});
