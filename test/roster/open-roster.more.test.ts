import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, open, readdir, readlink, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { suite, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import Papa from 'papaparse';
import { InputError } from '../../src/core/errors.ts';
import { isReject, rosterFormats } from '../../src/core/rows/row.ts';
import { formatByName, formats } from '../../src/roster/files/magic.ts';
import { encode, markOf, type WrittenEncoding } from '../../src/roster/text/encoding.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { fileOf, hardCell, newPath, read, readText, refusalOf, splitAt, streamOf, tableOf } from './reading.ts';

const people = 'First Name,Last Name,Work Email\nÅse,Lindqvist,ase@example.com\n';

function join(...parts: (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

test('a format is known by each of its endings, packed or not', () => {
  for (const format of rosterFormats) {
    for (const ending of formats[format].endings.split(' ').filter((one) => one !== '')) {
      assert.deepEqual([`staff.${ending}`, `STAFF.${ending}.GZ`].map(formatByName), [format, format]);
    }
  }
});

suite('a roster that is read', () => {
  test('gives its form, its rows with their lines, its size, time and checksum', async () => {
    const path = await fileOf(people);
    const time = new Date('2026-03-01T08:00:00Z');
    await utimes(path, time, time);
    const { roster, rows } = await read(path);
    assert.deepEqual(roster.form, {
      ...{ file: path, format: 'csv', encoding: 'utf-8', bom: false, delimiter: ',', newline: '\n' },
      ...{ headerLine: 1, notes: [] },
      header: ['First Name', 'Last Name', 'Work Email'],
    });
    assert.deepEqual(rows, [{ file: path, line: 2, cells: ['Åse', 'Lindqvist', 'ase@example.com'] }]);
    assert.equal(roster.sizeBytes, Buffer.byteLength(people));
    assert.deepEqual(roster.modifiedAt, time);
    assert.equal(roster.checksum(), createHash('sha256').update(people).digest('hex'));
  });

  test('can be read again from the beginning', async () => {
    for (const source of [await fileOf(people), streamOf(Buffer.from(people))]) {
      const roster = await openRoster(source);
      for (let pass = 0; pass < 2; pass++) {
        let rows = 0;
        for await (const batch of roster.batches()) rows += batch.length;
        assert.equal(rows, 1);
      }
      await roster.close();
    }
  });

  test('says its checksum only when all of it was read', async () => {
    const roster = await openRoster(await fileOf(people));
    assert.throws(() => roster.checksum(), /once all rows have been read/);
  });

  test('comes through a stream with a name and the time of arrival', async () => {
    const now = new Date('2026-03-01T08:00:00Z');
    const { roster, rows } = await read(streamOf(Buffer.from(people)), { name: 'staff', now: () => now });
    assert.equal(roster.form.file, 'staff');
    assert.equal(rows[0]?.file, 'staff');
    assert.deepEqual(roster.modifiedAt, now);
    assert.equal((await readText(people)).roster.form.file, 'standard input');
  });

  test('comes in batches of at most 500 rows', async () => {
    const roster = await openRoster(await fileOf(`a,b\n${'x,y\n'.repeat(40_000)}`));
    let rows = 0;
    for await (const batch of roster.batches()) {
      assert.ok(batch.length > 0 && batch.length <= 500);
      assert.equal(batch[0]?.line, rows + 2);
      rows += batch.length;
    }
    assert.equal(rows, 40_000);
  });

  test('is read only as far as it is asked for', async () => {
    const path = await fileOf(`a,b\n${'x,y\n'.repeat(100_000)}"never closed,1\n`);
    const batches = (await openRoster(path)).batches();
    const first = await batches.next();
    assert.equal(first.done, false);
    await batches.return(undefined);
  });

  test('rejects the row in which it is cut off, unless other rows are short as well', async () => {
    const { rows } = await readText('a,b,c\n1,2,3\n1,ann@acme.co');
    assert.equal(rows[0] && isReject(rows[0]), false);
    const reason = 'the file ends in this row, before its last column: it was cut off. Export it again';
    assert.deepEqual(rows[1], {
      ...{ file: 'standard input', line: 3, cells: ['1', 'ann@acme.co', ''], missing: new Set([2]) },
      ...{ column: '', value: '', reason, kind: 'damaged', hidesOthers: true, isUnended: true },
    });
    for (const text of ['a,b,c\n1,2\n1,2', 'a,b,c\n1,2,3\n1,2\n', 'a,b,c\n1,2,3\n1,2,3'])
      assert.ok((await readText(text)).rows.every((row) => !isReject(row)));
  });

  test('gives a short row the empty cells it lacks, and rejects one that is too long', async () => {
    const { rows } = await readText('a,b,c\n1\n1,2,3,4,5\n1,2,3\n');
    assert.deepEqual(rows[0]?.cells, ['1', '', '']);
    assert.deepEqual(rows[1], {
      ...{ file: 'standard input', line: 3, cells: ['1', '2', '3', '4', '5'], column: '', value: '4,5' },
      reason: '5 cells where the header has 3: a value that holds a delimiter needs quotes',
    });
    assert.ok(rows[2] && !isReject(rows[2]));
  });

  test('keeps spaces, and columns whose names objects have too', async () => {
    const { table } = await readText('__proto__, constructor ,__proto__\n a ," b ",c\n');
    assert.deepEqual(table, [
      ['__proto__', ' constructor ', '__proto__'],
      [' a ', ' b ', 'c'],
    ]);
  });

  test('may begin with blank lines, and have a header of several lines', async () => {
    const { roster, rows } = await readText('\n\n"First\nName",b\nx,y\n');
    assert.deepEqual(roster.form.header, ['First\nName', 'b']);
    assert.equal(rows[0]?.line, 5);
  });
});

suite('encodings', () => {
  const texts: [name: string, bytes: Uint8Array, encoding: WrittenEncoding, bom: boolean][] = [
    ['UTF-8', join(people), 'utf-8', false],
    ['UTF-8 with a byte order mark', join(markOf('utf-8'), people), 'utf-8', true],
    ['UTF-16 LE with a byte order mark', join(markOf('utf-16le'), encode(people, 'utf-16le')), 'utf-16le', true],
    ['UTF-16 BE with a byte order mark', join(markOf('utf-16be'), encode(people, 'utf-16be')), 'utf-16be', true],
    ['Windows-1252', latin1(people), 'windows-1252', false],
  ];
  for (const [name, bytes, encoding, bom] of texts) {
    test(`${name} is found`, async () => {
      const { roster, table } = await read(await fileOf(bytes));
      assert.deepEqual([roster.form.encoding, roster.form.bom], [encoding, bom]);
      assert.deepEqual(table[1], ['Åse', 'Lindqvist', 'ase@example.com']);
      assert.equal(table[0]?.[0], 'First Name');
    });
  }

  test('a quoted header after a byte order mark keeps no quotes', async () => {
    const { table } = await read(await fileOf(join(markOf('utf-8'), '"a","b"\n1,2\n')));
    assert.deepEqual(table[0], ['a', 'b']);
  });

  test('the first byte that is not UTF-8 may be the last of a large file, and be part of any block', async () => {
    const filler = 'Anna,Ek,anna@example.com\n'.repeat(12_000);
    for (const end of ['Jos\xe9,Ek,jose@example.com\n', 'Ek,Ek,jos\xe9', 'J\xf6rg Ek', 'Ren\xe9e,Ek,x\nBj\xf6rk']) {
      const { roster, rows } = await read(await fileOf(join('a,b,c\n', filler, latin1(end))));
      assert.equal(roster.form.encoding, 'windows-1252');
      assert.match(rows.at(-1)?.cells.join('') ?? '', /[éðö]/);
    }
  });

  test('UTF-8 that is not to its end is refused with the line, not garbled', async () => {
    const message = await refusalOf(
      read(await fileOf(join(people.repeat(3), latin1('Jos\xe9,Ek,jose@example.com\n')), 'mixed.csv')),
    );
    assert.match(message, /mixed\.csv, line 7: it is not UTF-8, but what stands before it is: two encodings/);
    assert.match(message, /or say its encoding \(read\.encoding\)/);
  });

  test('Windows-1252 is what it is said to be, unless all of it is UTF-8', async () => {
    const { table } = await read(await fileOf(latin1(people)), { encoding: 'CP1252' });
    assert.equal(table[1]?.[0], 'Åse');
    const asked = read(await fileOf(join(people)), { encoding: 'CP1252' });
    assert.match(await refusalOf(asked), /it is UTF-8, not windows-1252/);
  });

  test('UTF-8 and UTF-16 that are asked for and not found are refused', async () => {
    assert.match(
      await refusalOf(read(await fileOf(latin1(people)), { encoding: 'utf8' })),
      /line 2: it is not UTF-8, which/,
    );
    assert.match(
      await refusalOf(read(await fileOf('abc'), { encoding: 'utf-16le' })),
      /not utf-16le, or it is cut off/,
    );
    assert.match(
      await refusalOf(read(await fileOf(join(markOf('utf-16be'), encode(people, 'utf-16be'))), { encoding: 'utf-8' })),
      /byte order mark says utf-16be, not utf-8/,
    );
  });

  test('UTF-16 without a byte order mark is read when asked for, and proposed when not', async () => {
    const path = await fileOf(encode(people, 'utf-16be'));
    assert.match(await refusalOf(read(path)), /looks like utf-16be without a byte order mark/);
    assert.equal((await read(path, { encoding: 'UTF-16BE' })).table[1]?.[0], 'Åse');
  });

  test('bytes that give words in no encoding known here are refused', async () => {
    // Maria and Hanako in Shift_JIS, each in katakana.
    const shiftJis = Uint8Array.of(0x83, 0x7d, 0x83, 0x8a, 0x83, 0x41, 0x2c, 0x83, 0x6e, 0x83, 0x69, 0x83, 0x52);
    assert.match(
      await refusalOf(read(await fileOf(join('a,b\n', shiftJis, '\n')))),
      /line 2: it is not UTF-8, and no encoding that is known here gives words like those of names/,
    );
  });

  test('the end mark of DOS ends the file, and is no part of its last row', async () => {
    for (const [text, isUnended] of [
      ['a,b\n1,2\n\x1a', undefined],
      ['a,b\n1,2\x1a', true],
    ] as const) {
      const { roster, rows, table } = await read(await fileOf(text));
      assert.deepEqual(table, [
        ['a', 'b'],
        ['1', '2'],
      ]);
      assert.ok(rows.every((row) => !isReject(row)));
      assert.equal(roster.form.isUnended, isUnended);
    }
    assert.deepEqual((await read(await fileOf('[{"a": "x"}]\x1a', 'a.json'))).table, [['a'], ['x']]);
    assert.deepEqual((await read(streamOf(Buffer.from('a,b\n1,2\x1a'), Buffer.from('3\n')))).table[1], ['1', '2\x1a3']);
  });

  test('an encoding that is not read here is refused', async () => {
    assert.match(
      await refusalOf(read('x.csv', { encoding: 'klingon' })),
      /"klingon" is not a supported encoding: .*windows-1250/,
    );
    assert.match(
      await refusalOf(read('x.csv', { encoding: 'iso-2022-jp' })),
      /"iso-2022-jp" is not a supported encoding: .* export the list again as CSV UTF-8/,
    );
  });

  test('encodings with several bytes for a character are read when asked for, wherever the chunks are split', async () => {
    for (const [encoding, bytes, name] of [
      ['shift_jis', [0x8e, 0x52, 0x93, 0x63], '山田'],
      ['euc-jp', [0xbb, 0xb3, 0xc5, 0xc4], '山田'],
      ['gb2312', [0xcd, 0xf5, 0xce, 0xb0], '王伟'],
      ['gb18030', [0xcd, 0xf5, 0x81, 0x30, 0x81, 0x30], '王\u0080'],
      ['big5', [0xa4, 0xfd, 0xa5, 0xdf], '王立'],
      ['euc-kr', [0xb1, 0xe8, 0xc3, 0xb6], '김철'],
    ] as const) {
      const text = join('a,b\n', Uint8Array.from(bytes), ',x\n');
      for (const stream of [streamOf(text), streamOf(...splitAt(text, [5])), streamOf(...splitAt(text, [6, 7]))]) {
        assert.deepEqual(
          (await read(stream, { encoding })).table,
          [
            ['a', 'b'],
            [name, 'x'],
          ],
          encoding,
        );
      }
      const cut = await fileOf(text.subarray(0, 5));
      assert.match(await refusalOf(read(cut, { encoding })), /it is not .*, or it is cut off/);
    }
  });

  test('any table reads back equal from any encoding, in any pieces', async () => {
    const forms = fc.constantFrom<[WrittenEncoding, boolean]>(
      ...(
        [
          ['utf-8', true],
          ['utf-8', false],
          ['utf-16le', true],
          ['utf-16le', false],
          ['utf-16be', true],
        ] as const
      ).map(([encoding, bom]): [WrittenEncoding, boolean] => [encoding, bom]),
    );
    const newlines = fc.constantFrom('\n', '\r\n', '\r');
    const places = fc.array(fc.nat(), { maxLength: 6 });
    // A table of one column whose cells hold the delimiter looks like rows in one cell each.
    // Lines of one cell that are as wide as the header look like rows that a stray quote has taken in.
    const isPlain = (cell: string): boolean => !cell.includes(',') || !/[\r\n]/.test(cell);
    const tables = tableOf(hardCell).filter(
      ([header, ...rows]) =>
        !header?.[0]?.startsWith('\ufeff') &&
        header?.length !== 1 &&
        [header, ...rows].flat().every((cell) => isPlain(cell ?? '')),
    );
    await fc.assert(
      fc.asyncProperty(tables, forms, newlines, places, async (table, [encoding, bom], newline, at) => {
        const text = Papa.unparse(table, { newline, quotes: true });
        const bytes = join(bom ? markOf(encoding) : '', encode(text, encoding));
        const pieces = splitAt(Buffer.from(bytes), at);
        const result = await read(streamOf(...pieces), { delimiter: ',', encoding });
        assert.deepEqual(result.table, table);
      }),
      { numRuns: 300 },
    );
  });
});

suite('delimiters and line ends', () => {
  for (const [name, delimiter] of Object.entries({ comma: ',', semicolon: ';', tab: '\t', pipe: '|' })) {
    test(`a ${name} is found, also with the others in the values`, async () => {
      const table = [
        ['First Name', 'Last Name', 'Groups'],
        ['A', 'B', 'x;y|z, w'],
        ['C', 'D\tE', 'u'],
      ];
      const { roster, table: found } = await readText(Papa.unparse(table, { delimiter }));
      assert.equal(roster.form.delimiter, delimiter);
      assert.deepEqual(found, table);
    });
    test(`a ${name} can be named`, async () => {
      assert.equal((await readText('a\nb\n', { delimiter: name })).roster.form.delimiter, delimiter);
    });
  }

  test('the delimiter is that by which the rows agree with the header', async () => {
    const { roster } = await readText('Name, first;Name, last;Mail\nÅse;Ek;a@example.com\nBo;Ek;b@example.com\n');
    assert.equal(roster.form.delimiter, ';');
  });

  test('values with commas that are not quoted do not hide a semicolon', async () => {
    const { table } = await readText('id;name;title\n1;Doe, Jane;a, b, c\n2;Ek, Bo;d, e\n');
    assert.deepEqual(table[1], ['1', 'Doe, Jane', 'a, b, c']);
  });

  test('a header without a delimiter is refused', async () => {
    const message = await refusalOf(readText('First^Last^Mail\na^b^c\n', { name: 'x.csv' }));
    assert.match(message, /x\.csv: no delimiter found in the header "First\^Last\^Mail"/);
    assert.equal((await readText('First^Last^Mail\na^b^c\n', { delimiter: '^' })).roster.form.header.length, 3);
  });

  test('what cannot part cells is refused as a delimiter', async () => {
    for (const delimiter of ['', 'ab', '"', '\n', 'x', '7', '😀']) {
      assert.match(await refusalOf(readText(people, { delimiter })), /is not a delimiter/);
    }
  });

  for (const [name, newline] of Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r' } as const)) {
    test(`${name} is found, with other line ends in quotes`, async () => {
      const { roster, table, rows } = await readText(['a,b', '"x\r\ny","1\r2\n"', 'z,3'].join(newline));
      assert.equal(roster.form.newline, newline);
      assert.deepEqual(table.slice(1), [
        ['x\r\ny', '1\r2\n'],
        ['z', '3'],
      ]);
      assert.equal(rows[1]?.line, 5);
    });
  }
});

suite('what is no roster', () => {
  const refused: [what: string, content: string | Uint8Array, message: RegExp][] = [
    ['an empty file', '', /it is empty/],
    ['a file with nothing but a byte order mark', markOf('utf-8'), /it is empty/],
    ['a file of blank lines', '\n \r\n\n', /nothing but blank lines/],
    ['a header alone', 'First Name,Last Name,Email\n', /it has a header and nobody below it/],
    ['a zip archive that is cut off', join('PK\x03\x04\x14\0', '\0'.repeat(24), 'users.csv'), /zip archive is damaged/],
    [
      'an old Excel workbook that is cut off',
      latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0'),
      /the workbook is damaged or cut off. Fetch it again/,
    ],
    ['a PDF', latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3'), /this is a PDF/],
    ['a gzip archive that is cut off', latin1('\x1f\x8b\x08\0'), /gzip archive is damaged or cut off/],
    ['a 7-Zip archive', latin1("7z\xbc\xaf'\x1c"), /7-Zip archive.*Unpack it/],
    ['a tar archive', join('x'.repeat(257), 'ustar'), /tar archive.*Unpack it/],
    ['XML', '<employees><employee/></employees>', /web page or XML/],
    ['a login page', '\n<!DOCTYPE html><html>', /web page.*login page/],
    ['a NUL byte far below', `a,b\n${'x,y\n'.repeat(50_000)}\0`, /line 50002: there is a NUL byte/],
    ['a program', latin1('\x7fELF\x02\x01\x01\0\0\0\0\0\x03\0'), /NUL byte/],
    ['a quote that is never closed', 'a,b\n1,2\nx,"y\n3,4\n', /line 3: a quote opens a cell and is never closed/],
    ['a header with a malformed quote', '"a" x,b\n1,2\n', /line 1, the header: text follows a closing quote/],
    ['UTF-16 that is cut off', join(markOf('utf-16le'), encode(people, 'utf-16le').subarray(0, -1)), /cut off/],
    ['UTF-16 with NUL characters', join(markOf('utf-16le'), encode('a,b\nx\0,y\n', 'utf-16le')), /NUL character/],
  ];
  for (const [what, content, message] of refused) {
    test(`${what} is refused with the next step`, async () => {
      const path = await fileOf(content, 'staff.csv');
      const said = await refusalOf(read(path));
      assert.match(said, message);
      assert.ok(said.startsWith(path));
    });
  }

  test('a file that is not there, and an empty folder, are refused', async () => {
    assert.match(await refusalOf(read(newPath('gone.csv'))), /gone\.csv: there is no such file/);
    const folder = newPath('folder');
    await mkdir(folder);
    assert.match(await refusalOf(read(folder)), /folder: it holds no file that can be read/);
  });

  test('a file of 5 GB in one line is refused without reading it all', { timeout: 120_000 }, async () => {
    const path = await fileOf(`a,b\n${'x'.repeat(5 * 1024 ** 2)}`, 'huge.csv');
    await truncate(path, 5 * 1024 ** 3);
    assert.match(await refusalOf(read(path)), /line 2: the line is longer than 1048576 characters/);
    await rm(path);
  });

  test('an endless line in a stream is refused before its end', async () => {
    const endless = Readable.from(
      (function* () {
        yield Buffer.from('a,b\n');
        for (;;) yield Buffer.alloc(64 * 1024, 'x');
      })(),
    );
    assert.match(await refusalOf(read(endless)), /standard input, line 2: the line is longer/);
  });

  test('lines of UTF-16 are counted as lines', async () => {
    const text = `a,b\n${'਀\u0d00,x\n'.repeat(10)}${'x'.repeat(5000)}`;
    const bytes = join(markOf('utf-16be'), encode(text, 'utf-16be'));
    assert.match(
      await refusalOf(read(await fileOf(bytes), { limits: { record: 1000 } })),
      /line 12: the line is longer/,
    );
  });

  test('more bytes than the limit are refused, from a file and from a stream', async () => {
    const limits = { bytes: 1000 };
    assert.match(await refusalOf(read(await fileOf(people.repeat(20)), { limits })), /more than 1\.0 kB/);
    assert.match(await refusalOf(readText(people.repeat(20), { limits })), /more than 1\.0 kB/);
  });

  test('a file that changes while it is read is refused', async () => {
    const path = await fileOf(`a,b\n${'x,y\n'.repeat(100_000)}`);
    const roster = await openRoster(path);
    const batches = roster.batches();
    await batches.next();
    await appendFile(path, 'x,y\n');
    const rest = async () => {
      while (!(await batches.next()).done);
    };
    assert.match(await refusalOf(rest()), /it changed while it was read/);
    assert.throws(() => roster.checksum());
  });

  const descriptors = '/proc/self/fd';
  const skip = existsSync(descriptors) ? false : 'only Linux lists the open files of a process';
  test('no file stays open, whether the reading is refused, broken off or ended', { skip }, async () => {
    const openFiles = async () => {
      const links = await Promise.all(
        (await readdir(descriptors)).map((fd) => readlink(`${descriptors}/${fd}`, 'utf8').catch(() => '')),
      );
      return links.filter((link) => link.startsWith(tmpdir()));
    };
    const path = await fileOf(people.repeat(10_000));
    await read(path);
    for await (const _ of (await openRoster(path)).batches()) break;
    await openRoster(path);
    await refusalOf(read(await fileOf('')));
    await refusalOf(readText(''));
    await refusalOf(readText(`${people}"never closed`));
    const stream = await openRoster(streamOf(Buffer.from(people)));
    assert.equal((await openFiles()).length, 1, 'a stream is kept until it is closed');
    await stream.close();
    assert.deepEqual(await openFiles(), []);
  });

  test('a named pipe is read as a stream', { skip: process.platform === 'win32' }, async () => {
    const path = newPath('pipe');
    const command = 'mkfifo';
    execFileSync(command, [path]);
    const [{ roster, table }] = await Promise.all([read(path), writeFile(path, people)]);
    assert.equal(table[1]?.[0], 'Åse');
    assert.equal(roster.form.file, path);
  });

  test('random bytes are read or refused, and never end otherwise', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .array(fc.constantFrom(0x22, 0x2c, 0x0a, 0x0d, 0x41, 0xc3, 0xa9, 0xff, 0xfe, 0xef, 0xbb, 0xbf), {
          maxLength: 80,
        })
        .map((all) => Uint8Array.from(all)),
    );
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.constantFrom(undefined, 'utf-8', 'utf-16le', 'windows-1252'),
        async (content, encoding) => {
          try {
            await read(streamOf(content), encoding === undefined ? {} : { encoding });
          } catch (error) {
            assert.ok(error instanceof InputError, `${error}`);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('what is kept in memory does not grow with the file', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const path = newPath('large.csv');
  const handle = await open(path, 'w');
  await handle.write('a,b,c\n');
  for (let page = 0; page < 60; page++)
    await handle.write('Anna Maria,"Lindqvist","anna@example.com"\n'.repeat(12_000));
  await handle.close();
  assert.ok((await stat(path)).size > 25_000_000);
  const roster = await openRoster(path);
  collect();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  let row = 0;
  for await (const batch of roster.batches()) {
    if (Math.floor((row += batch.length) / 100_000) === Math.floor((row - batch.length) / 100_000)) continue;
    collect();
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  assert.equal(row, 720_000);
  assert.ok(most < 5_000_000, `${most} bytes`);
});
