import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { EncodingQuestion } from '../../src/core/errors.ts';
import { encode, parseEncoding, decoderOf, decodeTable, singleByteEncodings } from '../../src/roster/text/encoding.ts';
import { judgeEncoding } from '../../src/roster/text/judging/judge-encoding.ts';
import { Evidence } from '../../src/roster/text/judging/evidence.ts';
import { writeRejects } from '../../src/roster/files/rejects-file.ts';
import { bytesIn, outcomeOf, staffOf, type Outcome } from '../support/encoded-lists.ts';
import { nameLists } from '../support/names-by-language.ts';
import { fileOf, newPath, read, refusalOf, streamOf } from './reading.ts';

async function outcomesOf(files: { text: string; encoding: Parameters<typeof outcomeOf>[1] }[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { text, encoding } of files) outcomes.push(await outcomeOf(bytesIn(text, encoding), encoding));
  return outcomes;
}

suite('an encoding that nobody says', () => {
  for (const [language, list] of Object.entries(nameLists)) {
    test(`of a list in ${language} is found, and never silently wrong`, async () => {
      for (const encoding of list.encodings) {
        for (const rows of [20, 200, 2000]) {
          const text = staffOf(list, rows, rows);
          const texts = rows === 20 ? [text, staffOf(list, rows, 7), text.toUpperCase()] : [text];
          const outcomes = await outcomesOf(texts.map((each) => ({ text: each, encoding })));
          assert.ok(!outcomes.includes('wrong'), `${encoding}, ${rows} rows: ${outcomes.join()}`);
          // From some names it cannot always be known; from many it is.
          if (rows === 20 || language === 'English') continue;
          assert.deepEqual([...new Set(outcomes)], ['right'], `${encoding}, ${rows} rows`);
        }
      }
    });
  }

  test('of DOS and old Macs is found too, and never silently wrong', async () => {
    for (const [language, list] of Object.entries(nameLists)) {
      for (const encoding of list.older) {
        const files = [20, 200].map((rows) => ({ text: staffOf(list, rows, rows * 7), encoding }));
        const [few, many] = await outcomesOf(files);
        assert.notEqual(few, 'wrong', `${language}, ${encoding}, 20 rows`);
        assert.equal(many, 'right', `${language}, ${encoding}, 200 rows`);
      }
    }
    const { roster } = await read(await fileOf(bytesIn('a;b\nSprzedaż;Jakość\nZarząd;Łukasz Śliwiński\n', 'cp852')));
    assert.deepEqual(roster.form.readAs, ['cp852: Sprzedaż, Jakość, Zarząd']);
  });

  test('of a single word is never silently wrong', async () => {
    for (const { first, last, groups, encodings } of Object.values(nameLists)) {
      for (const encoding of encodings) {
        for (const word of [...first, ...last, ...groups].slice(0, 40)) {
          const bytes = bytesIn(word, encoding);
          if (bytes.every((byte) => byte < 0x80)) continue;
          const evidence = new Evidence();
          evidence.push(bytes);
          const verdict = judgeEncoding(evidence.end());
          if (!verdict || verdict.isStrange || verdict.rivals.length > 0) continue;
          const table = decodeTable(verdict.encoding);
          assert.equal([...bytes].map((byte) => table[byte]).join(''), word, `${encoding}: ${verdict.encoding}`);
        }
      }
    }
  });

  test('is shown with words of the file, most of them those that other encodings read otherwise', async () => {
    const text = 'Vorname;Name\nŁukasz;Śliwiński\nAnna;Müller\nŁukasz;Dąbrowski\n';
    const { roster, table } = await read(await fileOf(bytesIn(text, 'windows-1250')));
    assert.equal(roster.form.encoding, 'windows-1250');
    assert.deepEqual(roster.form.readAs, ['windows-1250: Śliwiński, Dąbrowski, Łukasz']);
    assert.deepEqual(table[1], ['Łukasz', 'Śliwiński']);
    assert.equal((await read(await fileOf('a,b\nx,y\n'))).roster.form.readAs, undefined);
  });

  test('does not hang on the beginning of the file, nor on where it is cut into pieces', async () => {
    const ascii = 'Anna;Ek;anna@example.com;IT\n'.repeat(60_000);
    const polish = nameLists['Polish'];
    assert.ok(polish);
    const bytes = bytesIn(`a;b;c;d\n${ascii}${staffOf(polish, 30, 4)}`, 'iso-8859-2');
    for (const size of [1000, 4097, 65_536]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const { roster } = await read(streamOf(...pieces));
      assert.equal(roster.form.encoding, 'iso-8859-2');
    }
  });

  test('is no question where the readings are the same for the file', async () => {
    const { roster } = await read(await fileOf(bytesIn('a;b\nJürgen;Größe\nBärbel;Köhler\n', 'windows-1250')));
    assert.equal(roster.form.encoding, 'windows-1252');
    assert.deepEqual((await read(await fileOf(bytesIn('a;b\nJürgen;Größe\n', 'iso-8859-2')))).table[1], [
      'Jürgen',
      'Größe',
    ]);
  });

  test('is asked about where two readings are as likely, and then nothing is read', async () => {
    const path = await fileOf(
      bytesIn('Name;Email\nx;x@example.com\nMuñoz;m@example.com\n', 'windows-1252'),
      'staff.csv',
    );
    const error: unknown = await read(path).catch((error: unknown) => error);
    assert.ok(error instanceof EncodingQuestion);
    assert.deepEqual(error.readings, [
      { encoding: 'windows-1252', examples: ['Muñoz'] },
      { encoding: 'windows-1250', examples: ['Muńoz'] },
    ]);
    assert.match(error.message, /windows-1252: Muñoz; windows-1250: Muńoz\. Say which it is \(read\.encoding\), or/);
    assert.doesNotMatch(error.withoutWords, /Mu[ñń]oz/);
    const { table } = await read(path, { encoding: 'windows-1250' });
    assert.equal(table[2]?.[0], 'Muńoz');
  });

  test('is found for JSON too', async () => {
    const { roster, table } = await read(
      await fileOf(bytesIn('[{"name": "Łukasz Śliwiński"}, {"name": "Bożena Dąbrowska"}]', 'windows-1250'), 'a.json'),
    );
    assert.deepEqual(roster.form.readAs, ['windows-1250: Śliwiński, Dąbrowska, Łukasz']);
    assert.equal(table[1]?.[0], 'Łukasz Śliwiński');
  });
});

suite('an encoding that somebody says', () => {
  test('is any single-byte one of the WHATWG standard, DOS or old Macs, by any of its labels, and gives its bytes back', async () => {
    for (const encoding of singleByteEncodings) {
      assert.equal(parseEncoding(encoding.toUpperCase()), encoding);
      const bytes = Uint8Array.from({ length: 128 }, (_, at) => at + 128).filter(
        (byte) => decodeTable(encoding)[byte] !== '\ufffd',
      );
      const text = decoderOf(encoding).decode(bytes);
      assert.deepEqual(encode(text, encoding), bytes, encoding);
      const { table } = await read(await fileOf(Buffer.concat([Buffer.from('a,b\nx,'), bytes])), { encoding });
      assert.equal(table[1]?.[1], text);
    }
    for (const [label, encoding] of [
      ['latin2', 'iso-8859-2'],
      ['cp1251', 'windows-1251'],
      ['latin5', 'windows-1254'],
      ['mac', 'macintosh'],
      ['koi', 'koi8-r'],
      ['l9', 'iso-8859-15'],
      ['IBM-850', 'cp850'],
      ['852', 'cp852'],
      ['MacCentEuro', 'maccenteuro'],
    ] as const) {
      assert.equal(parseEncoding(label), encoding);
    }
  });

  test('is refused where all of the file is UTF-8, which would give other letters', async () => {
    const path = await fileOf('Name;Group\nSøren;Økonomi\n');
    for (const encoding of ['cp850', 'windows-1250', 'koi8-r', 'macintosh'])
      assert.match(
        await refusalOf(read(path, { encoding })),
        /: it is UTF-8, not .*: its letters would be read as others/,
      );
    const chance = Buffer.from('Name;Group\n\xc2\xbd\xc2\xb7;x\n', 'latin1');
    assert.equal((await read(await fileOf(chance), { encoding: 'gbk' })).table[1]?.[0], '陆路');
    const long = Buffer.from(`Name;Group\n${'Müller;Küche\n'.repeat(9000)}\xe9;x\n`, 'utf8');
    assert.match(await refusalOf(read(await fileOf(long), { encoding: 'gbk' })), /it is UTF-8/);
    const mixed = Buffer.concat([long, Buffer.from('\xf8;x\n', 'latin1')]);
    assert.equal((await read(await fileOf(mixed), { encoding: 'windows-1250' })).rows.length, 9002);
  });

  test('of DOS that does not have a byte of the file is an error with the line', async () => {
    const path = await fileOf(Buffer.from('a,b\nx,\xd5\n', 'latin1'));
    assert.match(await refusalOf(read(path, { encoding: 'cp857' })), /after line 1: it is not cp857/);
  });

  test('has its rejects in the same encoding, with ? for what it lacks', async () => {
    for (const [encoding, name] of [
      ['windows-1250', 'Śliwiński'],
      ['koi8-r', 'Щербаков'],
      ['macintosh', 'Müller'],
      ['cp437', 'Müller'],
    ] as const) {
      const { roster } = await read(await fileOf(bytesIn(`Name;Email\n${name};x\n`, encoding)), { encoding });
      const path = newPath('rejects.csv');
      const reject = { file: 'f', line: 2, cells: [name, 'x'], column: 'Email', value: 'x', reason: 'no e-mail ☃' };
      await writeRejects(path, roster.form, '7f3a', [reject]);
      const expected = `Name;Email;_line;_reason;_run\n${name};x;2;no e-mail ?;7f3a\n`;
      assert.deepEqual(await readFile(path), bytesIn(expected, encoding));
    }
  });
});
