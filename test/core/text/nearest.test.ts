import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../../src/core/text/nearest.ts';

test('a name is meant that is one edit in three letters away: a letter more, less, another, or two swapped', () => {
  for (const asked of ['fil', 'filee', 'fike', 'FI-LE', 'flie'])
    assert.equal(nearest(asked, ['file'], 1), 'file', asked);
  for (const asked of ['fe', 'lief', 'fi', 'fileed', 'elif'])
    assert.equal(nearest(asked, ['file'], 1), undefined, asked);
  assert.equal(nearest('tow', ['one', 'two', 'six']), 'two');
  assert.equal(nearest('owt', ['two']), undefined);
  assert.equal(nearest('emial', ['mail', 'email']), 'email');
  assert.equal(nearest('a', ['a']), 'a');
  assert.equal(nearest('x', []), undefined);
});

test('a name may be a third of its length away, unless told otherwise; the nearest wins, the first of several', () => {
  assert.equal(nearest('abc', ['abx']), 'abx');
  assert.equal(nearest('abc', ['axx']), undefined);
  assert.equal(nearest('abcd', ['axxd']), 'axxd', 'two of four');
  assert.equal(nearest('abcd', ['xxxd']), undefined);
  assert.equal(nearest('abc', ['ab', 'abcd', 'abc']), 'abc');
  assert.equal(nearest('abc', ['abd', 'abx']), 'abd');
  assert.equal(nearest('abcdef', ['badcfe'], 3), 'badcfe', 'three swaps');
  assert.equal(nearest('abcdef', ['badcfe'], 2), undefined);
  assert.equal(nearest('', ['a'], 1), 'a');
  assert.equal(nearest('', ['ab'], 1), undefined);
  assert.equal(nearest('a', ['xy'], 1), undefined);
  const long = 'x'.repeat(100);
  assert.equal(nearest(long, [`${long.slice(1)}y`]), `${long.slice(1)}y`);
  assert.equal(nearest(`${long}x`, [`${long}y`]), undefined, 'too long for a slip');
});
