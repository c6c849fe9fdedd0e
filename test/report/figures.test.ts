import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, duration, estimate, moment, perSecond } from '../../src/core/text/format.ts';

test('a count has its thousands separated and its noun in the right number', () => {
  assert.equal(count(1, 'row'), '1 row');
  assert.equal(count(0, 'row'), '0 rows');
  assert.equal(count(1_234_567, 'person', 'people'), '1,234,567 people');
});

test('a duration is said in the units that a person would use', () => {
  const said: [number, string][] = [
    [0, '0.0 s'],
    [4000, '4.0 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [180_000, '3 min'],
    [200_000, '3 min 20 s'],
    [599_600, '10 min'],
    [3_599_000, '1 h'],
    [7_800_000, '2 h 10 min'],
    [47 * 3_600_000, '47 h'],
    [76 * 3_600_000, '3 d 4 h'],
  ];
  for (const [ms, text] of said) assert.equal(duration(ms), text, `${ms} ms`);
});

test('an estimate promises neither less than a second nor a precision it does not have', () => {
  assert.equal(estimate(0), '1 s');
  assert.equal(estimate(3100), '4 s');
  assert.equal(estimate(59_500), '1 min');
  assert.equal(estimate(399_000), '7 min');
  assert.equal(estimate(7_800_000), '2 h 10 min');
});

test('a rate keeps a meaningful number of digits', () => {
  assert.equal(perSecond(50.3), '50/s');
  assert.equal(perSecond(1234.5), '1,235/s');
  assert.equal(perSecond(4.24), '4.2/s');
  assert.equal(perSecond(5), '5/s');
  assert.equal(perSecond(9.95), '10/s');
  assert.equal(perSecond(0.95), '0.9/s');
  assert.equal(perSecond(0.2), '12/min');
  assert.equal(perSecond(0), '0/min');
});

test('a moment is said in the time zone asked for', () => {
  assert.equal(moment('2026-01-05T23:30:00Z', 'Europe/Copenhagen'), '2026-01-06 00:30');
});
