import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { clip, displayWidth, flow, pad, table } from '../../src/report/terminal/layout.ts';

test('East Asian wide characters and emoji take two columns, combining and invisible ones none', () => {
  const widths: [string, number][] = [
    ['Sales', 5],
    ['山田', 4],
    ['ｱｲｳ', 3],
    ['ＡＢ', 4],
    ['한국', 4],
    ['e\u0301', 1],
    ['Åse', 3],
    ['👩‍💻', 2],
    ['\u0301', 0],
    ['…', 1],
  ];
  for (const [text, width] of widths) assert.equal(displayWidth(text), width, JSON.stringify(text));
});

test('a text that is cut is never wider than asked, and never cut within a character', () => {
  assert.equal(clip('山田太郎', 5), '山田…');
  assert.equal(clip('山田太郎', 4), '山…');
  assert.equal(clip('cafe\u0301s', 5), 'cafe\u0301s');
  assert.equal(clip('cafe\u0301 au lait', 5), 'cafe\u0301…');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, width) => {
      assert.ok(displayWidth(clip(text, width)) <= width);
    }),
  );
});

test('a padded text fills its columns whatever its script', () => {
  assert.equal(pad('山田', 6), '山田  ');
  assert.equal(pad('12', 5, 'left'), '   12');
  assert.equal(pad('too long', 3), 'too long');
});

test('items flow onto lines that fit, and none is lost', () => {
  assert.deepEqual(flow(['one', 'two', 'three'], '; ', 9), ['one; two;', 'three']);
  assert.deepEqual(flow([], '; ', 9), []);
  assert.deepEqual(flow(['longer than the line', 'b'], ', ', 5), ['longer than the line,', 'b']);
});

test('the columns of a table stand under their headings whatever the scripts of the cells', () => {
  const lines = table(
    [
      { heading: 'Group', cells: ['山田', 'Sales'] },
      { heading: 'calls', cells: ['1', '1,200'], figures: true },
    ],
    80,
  );
  assert.deepEqual(lines, ['Group  calls', '山田       1', 'Sales  1,200']);
});

test('a table that is too wide cuts the column that gives way', () => {
  const name = 'a very long name of a group';
  const lines = table(
    [
      { heading: 'Group', cells: [name], gives: true },
      { heading: 'calls', cells: ['1'], figures: true },
    ],
    20,
  );
  assert.deepEqual(lines, ['Group          calls', 'a very long …      1']);
});
