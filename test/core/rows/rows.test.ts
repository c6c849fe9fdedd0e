import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { addPaths, isDeeper } from '../../../src/core/rows/flatten.ts';
import { addressFault, addressIn, isEmailAddress } from '../../../src/core/cells/email-address.ts';
import { guardCell, hasTextMark } from '../../../src/core/cells/clean-cell.ts';
import { JsonCutter, JsonFailure, type Wish } from '../../../src/core/rows/json-cutter.ts';
import { namesInOneCell } from '../../../src/core/cells/group-cell.ts';
import { cellAt, cellText, parsePath, valuesAt, writeKey } from '../../../src/core/rows/path.ts';
import { isPlaceholder } from '../../../src/core/cells/placeholders.ts';
import { judgeRosterTime } from '../../../src/core/guards/roster-time.ts';
import { isRejectColumn, isRejectsHeader } from '../../../src/core/rows/row.ts';
import { configuredSourceName, fileNameOf, sourceNameProblem } from '../../../src/core/rows/source.ts';

suite('an address in a cell', () => {
  test('stands alone, in a link, or in angle brackets; with a second one in it the cell stays as it is', () => {
    const found: Record<string, string> = {
      'ann@example.com': 'ann@example.com',
      'mailto:ann@example.com': 'ann@example.com',
      'smtp:ann@old.example;SMTP:ann@example.com;x500:/o=Ours/cn=ann': 'ann@example.com',
      'smtp:ann@old.example': 'smtp:ann@old.example',
      'MAILTO:ann@example.com?subject=hi': 'ann@example.com',
      'Ann Ek <ann@example.com>': 'ann@example.com',
      '< mailto:ann@example.com >': 'ann@example.com',
      'bo@example.com <ann@example.com>': 'bo@example.com <ann@example.com>',
      'Ann <ann>': 'Ann <ann>',
      'mailto:ann': 'mailto:ann',
      'abcdef:ann@example.com': 'abcdef:ann@example.com',
    };
    for (const [text, address] of Object.entries(found)) assert.equal(addressIn(text), address, text);
  });

  test('has 254 characters at most, and 63 in each part of its domain', () => {
    const of = (before: number, label: number): string => `${'a'.repeat(before)}@${'b'.repeat(label)}.example.com`;
    assert.deepEqual([isEmailAddress(of(5, 63)), isEmailAddress(of(5, 64))], [true, false]);
    assert.deepEqual([addressFault(of(5, 63)), addressFault(of(5, 64))], [undefined, 'is not an e-mail address']);
    const long = (length: number): string => of(length - 13 - 10, 10).replace('@', '@');
    assert.equal(long(254).length, 254);
    assert.deepEqual([isEmailAddress(long(254)), isEmailAddress(long(255))], [true, false]);
    assert.deepEqual([addressFault(long(254)), addressFault(long(255))], [undefined, 'is not an e-mail address']);
    const umlauts = (label: number): string => `a@${'\u00e4'.repeat(label)}.example.com`;
    assert.deepEqual([isEmailAddress(umlauts(63)), isEmailAddress(umlauts(64))], [true, false]);
    for (const text of ['a b@example.com', 'a@b@example.com', 'a@example', 'a@example.com;', 'a@-x.com', 'a@x.1'])
      assert.equal(isEmailAddress(text), false, text);
  });
});

suite('a cell of a file that may be read again', () => {
  test('gets an apostrophe where a spreadsheet would run it, or take one away', () => {
    for (const cell of [
      '=1',
      '+1',
      '-1',
      '@x',
      '\tx',
      '\rx',
      '\nx',
      '\uff1d1',
      '\uff0b1',
      '\uff0d1',
      '\uff20',
      "'=1",
      "'x",
      "'",
    ])
      assert.equal(guardCell(cell), `'${cell}`, JSON.stringify(cell));
    for (const cell of ['', 'x=1', '1-2', "'t Hart", "'s-Gravenhage", "'N Blom", "x'"])
      assert.equal(guardCell(cell), cell);
    assert.deepEqual(["'x", "'t Hart", 'x', '', "'tx", "''"].map(hasTextMark), [true, false, false, false, true, true]);
  });

  test('names in one cell are separated by semicolons, and none of them has one', () => {
    const renamed = new Set<string>();
    assert.equal(namesInOneCell(['A', 'B; C;', 'D'], renamed), 'A;B, C,;D');
    assert.deepEqual([...renamed], ['B; C;']);
  });

  test('columns of rejects are known by their names, a file of rejects by having all of them', () => {
    assert.deepEqual(['_line', ' _reason ', '_run', 'line', '_Line'].map(isRejectColumn), [
      true,
      true,
      true,
      false,
      false,
    ]);
    assert.equal(isRejectsHeader(['a', '_line', '_reason', ' _run ']), true);
    assert.equal(isRejectsHeader(['a', '_line', '_reason']), false);
  });
});

suite('the bounds of names and of placeholders', () => {
  test('the name of a source has a hundred characters at most', () => {
    assert.deepEqual(
      [sourceNameProblem('a'.repeat(100)), configuredSourceName.test('a'.repeat(100))],
      [undefined, true],
    );
    assert.match(sourceNameProblem('a'.repeat(101)) ?? '', /^"a{100}" cannot name a source.*at most 100 characters$/);
    assert.equal(configuredSourceName.test('a'.repeat(101)), false);
  });

  test('the files of a source that is not plainly written are named by a hash of eight digits', () => {
    assert.match(fileNameOf('A B'), /^a-b-[0-9a-f]{8}$/);
    assert.match(fileNameOf('con'), /^con-[0-9a-f]{8}$/);
    for (let at = 0; at < 64; at += 1) assert.match(fileNameOf(`S ${at}`), /^s-\d+-[0-9a-f]{8}$/);
    assert.deepEqual(['com', 'com12', 'a_b-1'].map(fileNameOf), ['com', 'com12', 'a_b-1']);
  });

  test('a word stands for no value as a whole, in any case, in its brackets; as a name only if nobody is called so', () => {
    for (const text of [
      'n/a',
      'N/A',
      '0',
      '-',
      '--',
      '########',
      '#REF!',
      '#\u00bfNOMBRE?',
      '#n/a',
      '(blank)',
      '<NULL>',
      '[ leer ]',
      '{void}',
      '...',
      '\u00bf',
      '\u4e0d\u660e',
      // Next to the letters and digits by their number.
      ...['/', ':', '@', '[', '`', '{', '\u2000'],
    ])
      assert.ok(isPlaceholder(text) && isPlaceholder(text, 'name'), text);
    for (const text of [
      '',
      'n/a x',
      '00',
      'a',
      'REF!',
      '(blank]',
      '(blank',
      '#REF',
      '#R!',
      '#ref!',
      '\u2605',
      '(Ann)',
      'Null-Ann',
      '-a-',
      'leer',
      'void',
      `#${'A'.repeat(21)}!`,
    ])
      assert.ok(!isPlaceholder(text), text);
    assert.deepEqual([isPlaceholder('#AA!'), isPlaceholder(`#${'A'.repeat(18)}!`)], [true, true]);
    for (const text of ['na', 'Nil', 'BLANK', '\u041f\u0443\u0441\u0442\u043e'])
      assert.deepEqual([isPlaceholder(text), isPlaceholder(text, 'name')], [true, false], text);
    assert.ok(isPlaceholder('-'.repeat(500)));
  });
});

suite('paths into records', () => {
  test('filters compare without case, and quote what a path is made of', () => {
    const record = {
      a: [{ t: 'X', v: 1 }, { t: 'y', v: 2 }, { v: 3 }, 4],
      'b=c': { 'd]': 'D' },
      o: { t: 'x', v: 5 },
      n: null,
    };
    const at = (text: string): string => cellAt(record, parsePath(text));
    assert.deepEqual([at('a[t=x].v'), at('a[ t = "Y" ].v'), at('a["t"=x].v'), at('o[t=x].v')], ['1', '2', '1', '5']);
    assert.deepEqual(
      [at('"b=c"."d]"'), at('a.v'), at('a[3]'), at('a[4]'), at('n'), at('n.x')],
      ['D', '1;2;3', '4', '', '', ''],
    );
    assert.deepEqual([at('a[v=""].t'), at('a[t=].v'), at('a[t=x]')], ['', '', '{"t":"X","v":1}']);
    for (const text of ['a[="x"]', 'a["t]', 'a["t"x=1]', 'a[t="x"y]', 'a[t]', '[1]x', 'a.b[', 'a[1].'])
      assert.throws(() => parsePath(text), /is not a path \(character \d+\)/, text);
    assert.throws(() => parsePath('ab]'), /\(character 3\)/);
    assert.throws(() => parsePath('a.'), /\(character 3\)/);
    assert.throws(() => parsePath('a[x]'), /\(character 2\)/);
    assert.deepEqual(valuesAt([{ v: 1 }, { v: 2 }], parsePath('[1].v')), [2]);
    assert.deepEqual(valuesAt([[1, 2], [3]], parsePath('[0]')), [1, 2]);
    assert.deepEqual(valuesAt({ 1234567890: 'k' }, parsePath('1234567890')), ['k']);
    assert.throws(() => parsePath('a[1234567890]'));
    assert.deepEqual(['a', 'a b', 'a.b', 'a=b', 'a"b', ''].map(writeKey), [
      'a',
      '"a b"',
      '"a.b"',
      '"a=b"',
      String.raw`"a\"b"`,
      '""',
    ]);
    assert.deepEqual(
      [cellText([]), cellText(['', 'a', 'a', null, 'b']), cellText([null]), cellText([false])],
      ['', 'a;b', '', 'false'],
    );
  });

  test('are listed to a depth of eight, and as many as are wanted', () => {
    const paths = (record: Record<string, unknown>, most = 99): string[] => {
      const found = new Set<string>();
      addPaths(record, found, most);
      return [...found];
    };
    const deep = (levels: number): Record<string, unknown> => (levels === 1 ? { k: 1 } : { k: deep(levels - 1) });
    assert.deepEqual([paths(deep(8)), paths(deep(9))], [['k.k.k.k.k.k.k.k'], []]);
    assert.deepEqual(paths({ a: 1, b: 2, c: 3 }, 2), ['a', 'b']);
    assert.deepEqual(
      paths({
        a: [],
        b: [1],
        c: [
          { label: 'x y', v: 1 },
          { label: ' z', v: 1 },
          { label: 1, v: 1 },
        ],
      }),
      [...['a', 'b', 'c[label=x y].v', 'c[label=" z"].v', 'c.v']],
    );
    assert.deepEqual(paths({ a: [{ type: 't', label: 'l' }] }), ['a[type=t].label']);
    const list = (levels: number): unknown => (levels === 0 ? 1 : [{ k: list(levels - 1) }]);
    assert.deepEqual([paths({ a: list(8) }).length, paths({ a: list(4) }).length], [1, 1]);
  });

  test('values stand in each other 64 levels deep at most', () => {
    const nested = (levels: number): string => '{"a":'.repeat(levels) + 1 + '}'.repeat(levels);
    assert.deepEqual([isDeeper(nested(64)), isDeeper(nested(65)), isDeeper('[],'.repeat(99))], [false, true, false]);
    assert.equal(isDeeper(String.raw`"\"[" []`, 0), true);
    assert.equal(isDeeper(String.raw`"\\" []`, 0), true);
    assert.equal(isDeeper(String.raw`"\" []`, 0), false);
  });
});

suite('JSON that comes in pieces', () => {
  const most = { record: 40, depth: 4 };
  /** What a visitor sees that enters lists and `in`, and takes every other value but `no`. */
  function cut(pieces: readonly string[], wishOf?: (pointer: string, kind: string) => Wish): string[] {
    const seen: string[] = [];
    const cutter = new JsonCutter(
      {
        begins(kind, pointer, parent) {
          seen.push(`${kind} ${pointer} ${parent}`);
          return (
            wishOf?.(pointer, kind) ??
            (kind === 'array' || pointer === '/in' ? 'enter' : pointer === '/no' ? 'skip' : 'take')
          );
        },
        takes: (text) => void seen.push(text),
      },
      most,
    );
    for (const piece of pieces) cutter.push(piece);
    cutter.end();
    return seen;
  }
  const failure = (pieces: readonly string[]): string => {
    try {
      cut(pieces, (_, kind) => (kind === 'scalar' ? 'take' : 'enter'));
    } catch (error) {
      assert.ok(error instanceof JsonFailure);
      return `${error.line}: ${error.message}`;
    }
    return assert.fail('it was read');
  };

  test('gives every value that is asked for, wherever a piece ends', () => {
    const text = '[ {"a":[1,"]"]},\n -1.5e+3 ,"\\\\", "\\"", true, [] ]';
    const whole = cut([text]);
    assert.deepEqual(whole, [
      ...['array  document', 'object  array', '{"a":[1,"]"]}', 'scalar  array', '-1.5e+3', 'scalar  array', '"\\\\"'],
      ...['scalar  array', '"\\""', 'scalar  array', 'true', 'array  array'],
    ]);
    for (let at = 1; at < text.length; at += 1)
      assert.deepEqual(cut([text.slice(0, at), text.slice(at)]), whole, `${at}`);
    assert.deepEqual(cut(Array.from(text)), whole);
    assert.deepEqual(cut(['1 2', '3\n"x"']), [
      'scalar  document',
      '1',
      'scalar  document',
      '23',
      'scalar  document',
      '"x"',
    ]);
    assert.deepEqual(
      cut(['{"a~/b":1,"no":{"x":2}}'], (pointer) => (pointer === '' ? 'enter' : pointer === '/no' ? 'skip' : 'take')),
      [...['object  document', 'scalar /a~0~1b object', '1', 'object /no object']],
    );
    assert.deepEqual(
      cut(['{} []'], () => 'enter'),
      ['object  document', 'array  document'],
    );
    assert.deepEqual([cut([]), cut(['1', '2'])], [[], ['scalar  document', '12']]);
  });

  test('is refused with the line where its form is wrong', () => {
    const wrong: [string, RegExp][] = [
      ['[1\n 2]', /^2: "2\]?" stands where a comma should/],
      ['[1,]', /^1: "\]" stands where a value should/],
      ['{"a" 1}', /stands where a colon should/],
      ['{"a":1,}', /stands where a key in quotes should/],
      ['{a:1}', /stands where a key in quotes should/],
      ['{"\\x":1}', /stands where a key in quotes should/],
      ['[0x]', /stands where a value should/],
      ['[tru]', /stands where a value should/],
      ['[1}', /stands where a comma should/],
      ['{"a":1]', /stands where a comma should/],
      ['[1', /^1: it ends in the middle/],
      ['\n["a', /^2: it ends in the middle/],
      ['[[[[[1]]]]]', /more than 4 levels deep/],
    ];
    for (const [text, message] of wrong) {
      assert.match(failure([text]), message, text);
      assert.match(failure(Array.from(text)), message, `${text}, in pieces`);
    }
    assert.doesNotThrow(() => cut(['[[[[1]]]]'], (_, kind) => (kind === 'scalar' ? 'take' : 'enter')));
    assert.throws(() => cut(['[{"a":[[[1]]]}]']), /more than 4 levels deep/);
    assert.doesNotThrow(() => cut(['[{"a":[[1]]}]']));
  });

  test('is refused where one value is longer than a record may be', () => {
    const text = (length: number): string[] => [`["${'x'.repeat(length)}`, '"]'];
    assert.doesNotThrow(() => cut(text(most.record - 1)));
    assert.throws(() => cut(text(most.record)), /longer than 40 characters/);
    assert.doesNotThrow(() => cut([`[${'1,'.repeat(100)}1]`]));
    assert.throws(() => cut([`[{"a":"${'x'.repeat(30)}`, 'x'.repeat(10), '"}]']), /longer than 40 characters/);
    assert.doesNotThrow(() =>
      cut([`{"no":"${'x'.repeat(20)}`, `${'x'.repeat(20)}"}`], (pointer) => (pointer === '' ? 'enter' : 'skip')),
    );
  });

  test('says the line that it has come to', () => {
    const cutter = new JsonCutter({ begins: () => 'take', takes: () => undefined }, most);
    const lines = ['\n\n', '{"a":\n', '1}\n\n', '2 '].map((piece) => {
      cutter.push(piece);
      return cutter.line;
    });
    assert.deepEqual(lines, [3, 4, 6, 6]);
  });
});

suite('R13: the time of a roster', () => {
  const roster = (time: string, checksum: string) => ({ time, checksum });
  const newest = { runId: 'r2', ...roster('2026-01-20T00:00:00.000Z', 'new') };
  test('a roster of the very moment of the newest one passes; a millisecond before, it is held', () => {
    assert.equal(judgeRosterTime(roster('2026-01-20T01:00:00.000+01:00', 'x'), { newest }), undefined);
    assert.equal(judgeRosterTime(roster('2026-01-19T23:59:59.999Z', 'x'), { newest })?.guard, 'time');
    assert.equal(judgeRosterTime(roster('2026-01-20T00:00:00.001Z', 'new'), { newest, same: newest }), undefined);
    assert.equal(judgeRosterTime(roster('2026-01-21T00:00:00.000Z', 'x'), { same: newest }), undefined);
  });
});
