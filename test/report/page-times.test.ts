import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeInWords } from '../../src/page/parts.ts';

test('a moment is said as people say it, by the day in the zone of whoever looks', () => {
  const now = new Date(2026, 0, 1, 0, 30);
  const said = (...at: [number, number, number, number, number]): string =>
    timeInWords(new Date(...at).toISOString(), 'moment', now);
  assert.equal(said(2026, 0, 1, 23, 59), 'today 23:59');
  assert.equal(said(2025, 11, 31, 0, 5), 'yesterday 00:05');
  assert.equal(said(2026, 0, 2, 2, 15), 'tomorrow 02:15');
  assert.equal(said(2026, 2, 9, 18, 40), '9 Mar, 18:40');
  assert.equal(said(2025, 10, 3, 18, 40), '3 Nov 2025, 18:40');
  const iso = new Date(2026, 2, 9, 7, 8, 9).toISOString();
  const shown = (['full', 'clock', 'minute', 'day', 'month'] as const).map((form) => timeInWords(iso, form, now));
  assert.deepEqual(shown, ['9 Mar 2026, 07:08', '07:08:09', '07:08', '9 Mar 2026', '9 Mar']);
});
