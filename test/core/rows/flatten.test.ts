import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { addPaths, isDeeper } from '../../../src/core/rows/flatten.ts';
import { cellAt, cellText, parsePath, valuesAt, writeKey } from '../../../src/core/rows/path.ts';

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
