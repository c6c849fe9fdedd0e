import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { JsonCutter, JsonFailure, type Wish } from '../../../src/core/rows/json-cutter.ts';

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
