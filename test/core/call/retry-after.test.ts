import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { retryAfter } from '../../../src/core/call/retry-after.ts';
import { throttleIn } from '../../../src/core/call/throttle.ts';

const now = Date.UTC(2026, 2, 1, 12, 0, 0);
const day = 86_400_000;
const inTenSeconds = 'Sun, 01 Mar 2026 12:00:10 GMT';

test('seconds are a wait of so many seconds, whatever the clocks say', () => {
  assert.equal(retryAfter('120', undefined, now), 120_000);
  assert.equal(retryAfter(' 0 ', inTenSeconds, now), 0);
  assert.equal(retryAfter('0.5', undefined, now), 500);
});

test("a date is judged against the response's own date, so that a wrong clock here does no harm", () => {
  assert.equal(retryAfter(inTenSeconds, 'Sun, 01 Mar 2026 12:00:04 GMT', now + 9 * day), 6_000);
});

test('without a date of its own, or with one that cannot be read, the clock here is used', () => {
  assert.equal(retryAfter(inTenSeconds, undefined, now), 10_000);
  assert.equal(retryAfter(inTenSeconds, 'yesterday', now), 10_000);
});

test('all three forms of an HTTP-date are understood, as UTC', () => {
  assert.equal(retryAfter('Sunday, 01-Mar-26 12:00:10 GMT', undefined, now), 10_000);
  assert.equal(retryAfter('Sun Mar  1 12:00:10 2026', undefined, now), 10_000);
});

test('a date in the past is no wait', () => {
  assert.equal(retryAfter('Sun, 01 Mar 2026 11:00:00 GMT', undefined, now), 0);
});

test('more than a day is a mistake, and is a day', () => {
  assert.equal(retryAfter('99999999999999999999', undefined, now), day);
  assert.equal(retryAfter('Sun, 01 Mar 2076 12:00:00 GMT', undefined, now), day);
});

for (const garbage of [
  undefined,
  '',
  '-5',
  '+5',
  '5s',
  '1e3',
  '0x10',
  'soon',
  'Infinity',
  '2026-03-01T12:00:10Z',
  '5, 10',
]) {
  test(`${JSON.stringify(garbage)} says nothing`, () => {
    assert.equal(retryAfter(garbage, undefined, now), undefined);
  });
}

for (const garbage of [
  'Sun, 32 Mar 2026 12:00:10 GMT',
  'Sun, 01 Mar 2026 99:00:10 GMT',
  'Sun, 01 Mar 2026 12:00:10 CET',
]) {
  test(`the impossible date ${JSON.stringify(garbage)} says nothing`, () => {
    assert.equal(retryAfter(garbage, undefined, now), undefined);
  });
}

test('whatever a server sends, the wait is absent or between nothing and a day', () => {
  const text = fc.oneof(
    fc.string(),
    fc.float().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  fc.assert(
    fc.property(text, fc.option(text, { nil: undefined }), (value, date) => {
      const wait = retryAfter(value, date, now);
      assert.ok(wait === undefined || (Number.isInteger(wait) && wait >= 0 && wait <= day));
    }),
  );
});

test('only an answer that rate-limits has a wait, and the words for it', () => {
  assert.deepEqual(throttleIn({ kind: 'throttled', waitMs: 5, reason: 'HTTP 429' }), [5, 'HTTP 429']);
  assert.deepEqual(throttleIn({ kind: 'throttled', reason: 'HTTP 503' }), [undefined, 'HTTP 503']);
  assert.deepEqual(throttleIn({ kind: 'broken', reason: 'HTTP 500' }), [undefined, undefined]);
});
