import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { InputError } from '../../src/core/errors.ts';
import { fileOf, newPath, read, refusalOf, splitAt, streamOf } from './reading.ts';
import { textRows, workbookOf } from './workbook-writer.ts';
import { zip64EndAt, zipOf } from './zip-writer.ts';

const people = 'First Name,Last Name,Email\nÅse,Ek,ase@example.com\n';
const table = [
  ['First Name', 'Last Name', 'Email'],
  ['Åse', 'Ek', 'ase@example.com'],
];

const cells = (row: readonly string[]) =>
  row.map((text) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`).join('');
const excel2003 = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Staff"><Table>${table.map((row) => `<Row>${cells(row)}</Row>`).join('')}</Table></Worksheet></Workbook>`;

suite('gzip', () => {
  test('is unpacked, from a file and from a stream, whatever it is called', async () => {
    const packed = gzipSync(people);
    for (const source of [await fileOf(packed, 'staff.csv.gz'), await fileOf(packed, 'staff'), streamOf(packed)]) {
      const { roster, table: found } = await read(source);
      assert.deepEqual(found, table);
      assert.equal(roster.checksum(), createHash('sha256').update(people).digest('hex'));
    }
  });

  test('may hold JSON, a workbook, or a large file', async () => {
    assert.equal((await read(streamOf(gzipSync('[{"a": 1}]')))).roster.form.format, 'json');
    const sheet = textRows([
      ['Email', 'b'],
      ['ann@example.com', 'x'],
    ]);
    const workbook = gzipSync(workbookOf({ sheets: [{ name: 'S', rows: sheet }] }));
    assert.equal((await read(streamOf(workbook))).roster.form.format, 'xlsx');
    const large = Array.from({ length: 60_000 }, (_, at) => `Ann ${at},Ek,a${at}@example.com\n`);
    const { rows } = await read(await fileOf(gzipSync(`a,b,Email\n${large.join('')}`)));
    assert.equal(rows.length, 60_000);
    assert.deepEqual(rows[59_999]?.cells, ['Ann 59999', 'Ek', 'a59999@example.com']);
  });

  test('that is damaged or cut off anywhere is refused', async () => {
    const packed = gzipSync(Array.from({ length: 500 }, (_, at) => `${at},${at * 7919}\n`).join(''));
    for (const bytes of [
      packed.subarray(0, -1),
      packed.subarray(0, 200),
      packed.subarray(0, 5),
      Buffer.concat([packed.subarray(0, 300), packed.subarray(310)]),
    ]) {
      assert.match(await refusalOf(read(await fileOf(bytes, 'x.csv.gz'))), /gzip archive is damaged or cut off/);
    }
  });

  test('that unpacks to more than the limit is refused before its end', async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000, 'a,b\n'));
    assert.ok(bomb.length < 100_000);
    assert.match(
      await refusalOf(read(streamOf(bomb), { limits: { unpacked: 1_000_000 } })),
      /unpacked: it has more than 1\.0 MB/,
    );
  });

  test('in gzip in gzip in gzip is refused', async () => {
    let packed = Buffer.from(people);
    for (let times = 0; times < 4; times++) packed = gzipSync(packed);
    assert.match(await refusalOf(read(streamOf(packed))), /an archive in archives/);
  });
});

suite('a zip archive', () => {
  test('of one file is that file, with the name of both', async () => {
    const packed = zipOf([
      { name: 'export/', content: '' },
      { name: 'export/staff.csv', content: people },
      { name: '__MACOSX/export/._staff.csv', content: 'x' },
      { name: '.DS_Store', content: 'x' },
      { name: 'export/~$staff.xlsx', content: 'x' },
      { name: 'read me.pdf', content: 'x' },
    ]);
    const path = await fileOf(packed, 'staff.zip');
    const { roster, table: found, rows } = await read(path);
    assert.deepEqual(found, table);
    assert.equal(roster.form.file, `${path}/export/staff.csv`);
    assert.equal(rows[0]?.file, roster.form.file);
    assert.deepEqual((await read(streamOf(packed))).table, table);
  });

  test('may hold a workbook, JSON, or packed CSV', async () => {
    const sheet = textRows([
      ['Email', 'b'],
      ['ann@example.com', 'x'],
    ]);
    const workbook = workbookOf({ sheets: [{ name: 'S', rows: sheet }] });
    const formatOf = async (name: string, content: Uint8Array | string) =>
      (await read(await fileOf(zipOf([{ name, content }]), 'x.zip'))).roster.form.format;
    assert.equal(await formatOf('staff.xlsx', workbook), 'xlsx');
    assert.equal(await formatOf('staff.json', '[{"a": 1}]'), 'json');
    assert.equal(await formatOf('staff.csv.gz', gzipSync(people)), 'csv');
    assert.equal(await formatOf('staff.tab', people.replaceAll(',', '\t')), 'csv');
    assert.equal(await formatOf('staff.xml', excel2003), 'xls');
  });

  test('is that of its table, whatever XML describes it', async () => {
    const packed = zipOf(['staff.csv', 'about.xml'].map((name) => ({ name, content: people })));
    assert.deepEqual((await read(await fileOf(packed))).table, table);
  });

  test('of several files that are no bundle, or of none that can be read, is refused with their names', async () => {
    const files = ['a.csv', 'b.csv'].map((name) => ({ name, content: people }));
    assert.match(
      await refusalOf(read(await fileOf(zipOf(files)))),
      /not a known bundle \(.*They are a\.csv, b\.csv\. Name one of them/,
    );
    assert.match(
      await refusalOf(read(await fileOf(zipOf([{ name: 'x.pdf', content: 'x' }])))),
      /no file that can be read: x\.pdf/,
    );
    assert.match(await refusalOf(read(await fileOf(zipOf([])))), /holds no file that can be read\./);
  });

  test('that claims a smaller size than it unpacks to is refused', async () => {
    const bomb = zipOf([{ name: 'staff.csv', content: people.repeat(100_000), claims: 1000 }]);
    assert.match(await refusalOf(read(await fileOf(bomb))), /zip archive is damaged/);
  });

  test('with a byte that is not what was packed is refused', async () => {
    const changed = zipOf([{ name: 'staff.csv', content: people.replace('ase@', 'asa@'), packed: people }]);
    assert.match(await refusalOf(read(await fileOf(changed))), /damaged \(the checksum of staff\.csv is wrong\)/);
  });

  test('that claims to have a part behind its end is refused', async () => {
    for (const at of [1_000n, 2n ** 31n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n]) {
      const part = zipOf([{ name: 'staff.csv', content: people, claimedAt: at }]);
      assert.match(await refusalOf(read(await fileOf(part))), /zip archive is damaged/);
      const end = zip64EndAt(zipOf([{ name: 'staff.csv', content: people }]), at);
      assert.match(await refusalOf(read(await fileOf(end))), /zip archive is damaged/);
    }
  });

  test('that unpacks to more than the limit is refused before it is unpacked', async () => {
    const bomb = zipOf([{ name: 'staff.csv', content: 'x,y\n'.repeat(5_000_000) }]);
    const path = await fileOf(bomb, 'bomb.zip');
    assert.match(
      await refusalOf(read(path, { limits: { unpacked: 1_000_000 } })),
      /bomb\.zip: it unpacks to more than 1\.0 MB/,
    );
  });

  test('of more files than the limit, with a name that leads out of it, or locked, is refused', async () => {
    const files = Array.from({ length: 30 }, (_, at) => ({ name: `${at}.csv`, content: 'x' }));
    assert.match(
      await refusalOf(read(await fileOf(zipOf(files)), { limits: { files: 20 } })),
      /30 files, more than 20/,
    );
    const out = zipOf([{ name: '../../etc/staff.csv', content: people }]);
    assert.match(await refusalOf(read(await fileOf(out))), /zip archive is damaged/);
    const locked = zipOf([{ name: 'staff.csv', content: people }]);
    locked.writeUInt16LE(0x801, locked.indexOf('PK\x01\x02') + 8);
    assert.match(await refusalOf(read(await fileOf(locked))), /locked with a password/);
  });

  const descriptors = '/proc/self/fd';
  const skip = existsSync(descriptors) ? false : 'only Linux lists the open files of a process';
  test('leaves no file open, read or refused', { skip }, async () => {
    const openFiles = async () => {
      const links = await Promise.all(
        (await readdir(descriptors)).map((fd) => readlink(`${descriptors}/${fd}`, 'utf8').catch(() => '')),
      );
      return links.filter((link) => link.startsWith(tmpdir()));
    };
    const good = zipOf([{ name: 'staff.csv', content: people }]);
    const bad = zipOf([{ name: 'staff.csv', content: 'a\n' }]);
    const sheet = workbookOf({
      sheets: [
        {
          name: 'S',
          rows: textRows([
            ['Email', 'b'],
            ['x', 'y'],
          ]),
        },
      ],
    });
    for (const bytes of [good, sheet, gzipSync(people)]) {
      await read(await fileOf(bytes));
      await read(streamOf(bytes));
    }
    for (const bytes of [bad, good.subarray(0, 40), sheet.subarray(0, 400), gzipSync('a\n')]) {
      await refusalOf(read(await fileOf(bytes)));
      await refusalOf(read(streamOf(bytes)));
    }
    assert.deepEqual(await openFiles(), []);
  });
});

test('archives and workbooks with bytes changed or cut off are read or refused, and never end otherwise', async () => {
  const sheet = textRows([
    ['Email', 'b'],
    ['ann@example.com', 'x'],
  ]);
  const samples = [
    workbookOf({ sheets: [{ name: 'S', rows: sheet }], texts: ['<t>x</t>'], formats: [14, '000'] }),
    zipOf([{ name: 'staff.csv', content: people }]),
    zipOf([
      { name: 'users.csv', content: 'sourcedId,enabledUser,email\n1,true,a@example.com\n' },
      { name: 'enrollments.csv', content: 'classSourcedId,userSourcedId,role\nc,1,student\n' },
    ]),
    gzipSync(people),
    Buffer.from('[{"a": {"b": [1, "x", {"type": "work", "value": "y"}]}}, {"c": null}]'),
    Buffer.from('{"a": 1}\n{"b": "\\u00e9"}\n'),
    Buffer.from('version:v1.0\nEmail,b\n"x""y",z\n'),
  ];
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      changes,
      fc.option(fc.nat()),
      fc.array(fc.nat(), { maxLength: 3 }),
      async (sample, changes, end, at) => {
        const bytes = Buffer.from(end === null ? sample : sample.subarray(0, end % sample.length));
        for (const [place, byte] of changes) if (bytes.length > 0) bytes[place % bytes.length] = byte;
        try {
          await read(streamOf(...splitAt(bytes, at)), { limits: { unpacked: 1_000_000 } });
        } catch (error) {
          assert.ok(error instanceof InputError, String(error instanceof Error ? error.stack : error));
        }
      },
    ),
    { numRuns: 600 },
  );
  assert.match(await refusalOf(read(newPath('gone.zip'))), /there is no such file/);
});
