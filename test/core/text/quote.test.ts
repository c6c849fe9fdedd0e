import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  duration,
  moment,
  writeDuration,
  cutText,
  quote,
  shownText,
  withoutQuotes,
} from '../../../src/core/text/format.ts';
import { trimSign } from '../../../src/core/text/trim-end.ts';

test('a text of others is cut at 80 characters, and never within one', () => {
  assert.equal(cutText('x'.repeat(80)), 'x'.repeat(80));
  assert.equal(cutText('x'.repeat(81)), `${'x'.repeat(80)}…`);
  assert.equal(cutText(`${'x'.repeat(79)}😀y`), `${'x'.repeat(79)}…`);
});

test('whatever is quoted can be taken out of a message again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const message = `there is no column ${quote(one)}, nor ${quote(other)}.`;
      assert.equal(withoutQuotes(message), 'there is no column "…", nor "…".');
    }),
  );
});

test('a quote that does not end hides the rest', () => {
  assert.equal(withoutQuotes('no column "Annabel'), 'no column "…"');
});

test('a text is cut between characters: not within a pair, but before and after one', () => {
  for (const [text, most, cut] of [
    ['ab\u{1f600}', 4, 'ab\u{1f600}'],
    ['ab\u{1f600}c', 4, 'ab\u{1f600}…'],
    ['ab\u{1f600}c', 3, 'ab…'],
    ['ab\u{10000}c', 3, 'ab…'],
    ['ab\u{10ffff}c', 3, 'ab…'],
    ['ab\ud7ffcd', 3, 'ab\ud7ff…'],
    ['ab\ue000cd', 3, 'ab\ue000…'],
    ['abc', 0, '…'],
  ] as const)
    assert.equal(cutText(text, most), cut);
  assert.equal(quote('a"b\n', 3), '"a\u201db…"');
  assert.equal(shownText('a\nb'), String.raw`a\nb`);
  assert.deepEqual(['', 'a', 'a "b" c', '"'].map(withoutQuotes), ['', 'a', 'a "…" c', '"…"']);
});

test('only the signs at the end are taken away', () => {
  assert.deepEqual(
    ['a==', '=a=', '==', '', 'a'].map((text) => trimSign(text, '=')),
    ['a', '=a', '', '', 'a'],
  );
});

test('a duration has the largest unit in which it is whole', () => {
  const written = [0, 1, 999, 1000, 59_999, 60_000, 90_000, 3_600_000, 5_400_000, 86_400_000].map(writeDuration);
  assert.deepEqual(written, ['0h', '1ms', '999ms', '1s', '59999ms', '1m', '90s', '1h', '90m', '24h']);
});

test('a measured duration keeps a second unit up to ten minutes, and again from an hour', () => {
  const said: [number, string][] = [
    [1050, '1.1 s'],
    [61_000, '1 min 1 s'],
    [599_000, '9 min 59 s'],
    [600_000, '10 min'],
    [3_569_000, '59 min'],
    [3_570_000, '1 h'],
    [3_660_000, '1 h 1 min'],
    [170_940_000, '47 h 29 min'],
    [171_000_000, '2 d'],
    [172_799_999, '2 d'],
    [176_400_000, '2 d 1 h'],
  ];
  for (const [ms, text] of said) assert.equal(duration(ms), text, `${ms} ms`);
});

test('a moment without a time zone is the one of this machine', () => {
  const at = new Date(2026, 0, 5, 4, 3, 9);
  assert.equal(moment(at.toISOString()), '2026-01-05 04:03');
  assert.equal(moment('2026-01-05T23:30:00Z', 'Asia/Kathmandu'), '2026-01-06 05:15');
});
