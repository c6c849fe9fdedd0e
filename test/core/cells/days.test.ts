import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dayBegan, dayOf, readDay } from '../../../src/core/cells/days.ts';

suite('days', () => {
  const days: [text: string, order: 'dmy' | 'mdy' | undefined, day: number | undefined][] = [
    ['2026-11-20', undefined, 20261120],
    ['2026-11-20T10:00:00+02:00', undefined, 20261120],
    ['2026-11-20 10:00', undefined, 20261120],
    ['2026/1/2', undefined, 20260102],
    ['2026-11-20 00:00:00.000 Europe/Berlin', undefined, 20261120],
    ['2026-11-20T10:00:00.000+01:00[Europe/Berlin]', undefined, 20261120],
    ['11/20/2026 12:00:00 AM', undefined, 20261120],
    ['20.11.2026 08.00 Uhr', undefined, 20261120],
    ['20.11.2026 0.00.00', undefined, 20261120],
    ['2026-11-20 14:03:22.5-05', undefined, 20261120],
    ['2026-11-20 00:00:00 America/Los_Angeles', undefined, 20261120],
    ['11/20/2026 12:00:00\u202fAM Pacific Standard Time', undefined, 20261120],
    ['20.11.2026 Freitag', undefined, 20261120],
    ['20.11.2026 г.', undefined, 20261120],
    ['31.12.2500', undefined, undefined],
    ['31.12.2569', undefined, 20261231],
    ['20261120', undefined, 20261120],
    ['20.11.2026', undefined, 20261120],
    ['20112026', undefined, 20261120],
    ['11202026', undefined, 20261120],
    ['01032027', 'dmy', 20270301],
    ['31129999', undefined, undefined],
    ['99991231', undefined, undefined],
    ['26/11/2569', undefined, 20261126],
    ['/Date(17000000001000)/', undefined, undefined],
    ['3.4.2026', undefined, 20260403],
    ['20/11/2026', undefined, 20261120],
    ['11/20/2026', undefined, 20261120],
    ['04/04/2026', undefined, 20260404],
    ['03/04/2026', 'dmy', 20260403],
    ['03/04/2026', 'mdy', 20260304],
    ['20-Nov-26', undefined, 20261120],
    ['30-SEP-2026', undefined, 20260930],
    ['5 October 2026', undefined, 20261005],
    ['31. Oktober 2026', undefined, 20261031],
    ['31. Okt. 2026', undefined, 20261031],
    ['1 décembre 2026', undefined, 20261201],
    ['31 de octubre de 2026', undefined, 20261031],
    ['5 października 2026', undefined, 20261005],
    ['5 октября 2026 г.', undefined, 20261005],
    ['30 Sept 2026', undefined, 20260930],
    ['October 31, 2026', undefined, 20261031],
    ['Mar 3rd, 2026', undefined, 20260303],
    ['2026. október 31.', undefined, 20261031],
    ['2026年3月31日', undefined, 20260331],
    ['2026년 3월 31일', undefined, 20260331],
    ['2026. 3. 31.', undefined, 20260331],
    ['31-Dec-9999', undefined, undefined],
    ['31-Dec-99', undefined, undefined],
    ['12-Mar-98', undefined, 19980312],
    ['12-Mar-68', undefined, 20680312],
    ['12-Mar-69', undefined, 19690312],
    ['10/31/26', undefined, 20261031],
    ['31.10.26', undefined, 20261031],
    ['31/10/98', undefined, 19981031],
    ['31/10/26', 'dmy', 20261031],
    ['03/04/26', 'mdy', 20260304],
    ['/Date(1767225600000)/', undefined, 20260101],
    ['46346', undefined, 20261120],
    ['20000', undefined, 19541003],
    ['72999', undefined, undefined],
    ['', undefined, undefined],
    ['0000-00-00', undefined, undefined],
    ['00.00.0000', undefined, undefined],
    ['9999-12-31', undefined, undefined],
    ['12/31/9999', undefined, undefined],
    ['2099-12-31', undefined, undefined],
    ['1900-01-01', undefined, undefined],
    ['/Date(253402214400000)/', undefined, undefined],
  ];
  for (const [text, order, day] of days) {
    test(`"${text}"${order ? ` as ${order}` : ''} is ${day ?? 'no day'}`, () =>
      assert.equal(readDay(text, order), day));
  }

  for (const text of [
    'soon',
    '31.03.2026 verlängert bis 30.09.2026',
    '31.03.2026 entfristet',
    '31.03.2026 30.09.2026',
    '31/03/2026 -> 30/09/2026',
    '2026-03-31 extended to 2026-09-30',
    '2026-13-01',
    '2026-02-30',
    '31/31/2026',
    '1/2',
    '31-Feb-26',
    '20-Nov',
    '20-Foo-26',
    // October in Croatian, November in Polish.
    '20 listopada 2026',
    '31 Sept 2026',
    '2026年13月1日',
    '03/04/2026',
    '03/04/26',
    '31/10/26',
    '26-10-31',
    '1448-06-06',
    '12345',
    '73000',
    '46346.5',
  ]) {
    test(`"${text}" is not taken for a day`, () => assert.equal(typeof readDay(text), 'object'));
  }

  for (const [text, timezone, day] of [
    ['2026-11-26T23:00:00.000Z', 'Europe/Copenhagen', 20261127],
    ['2026-11-26T22:59:59Z', 'Europe/Copenhagen', 20261126],
    ['2026-11-26T23:00:00+00:00', 'Europe/Copenhagen', 20261127],
    ['2026-11-26T23:00:00.000+0000', 'Europe/Copenhagen', 20261127],
    ['2026-11-26T23:00Z', undefined, 20261126],
    ['2026-11-26T15:00:00Z', 'Asia/Tokyo', 20261127],
    ['2026-11-27T04:59:59Z', 'America/New_York', 20261126],
    // A day of UTC, or without a zone, is that day everywhere.
    ['2026-11-26T00:00:00.000Z', 'America/New_York', 20261126],
    ['2026-11-26T23:59:59.999Z', 'Europe/Copenhagen', 20261126],
    ['2026-11-26T23:00:00', 'Europe/Copenhagen', 20261126],
    ['2026-11-27T00:00:00+09:00', 'Europe/Copenhagen', 20261127],
    ['2026-11-26T25:00:00Z', 'Europe/Copenhagen', 20261126],
    [`/Date(${Date.UTC(2026, 10, 26, 23)})/`, 'Europe/Copenhagen', 20261127],
    [`/Date(${Date.UTC(2026, 10, 26)})/`, 'America/New_York', 20261126],
    [String(Date.UTC(2026, 10, 26, 23)), 'Europe/Copenhagen', 20261127],
    [String(Date.UTC(2026, 10, 26, 23) / 1000), 'Europe/Copenhagen', 20261127],
    [String(116_444_736e9 + Date.UTC(2026, 10, 26, 23) * 1e4), 'Europe/Copenhagen', 20261126],
  ] as const) {
    test(`"${text}" in ${timezone ?? 'no zone'} is ${day}`, () =>
      assert.equal(readDay(text, undefined, timezone), day));
  }

  test('an instant that is no time is no day', () => {
    assert.equal(typeof readDay('/Date(9999999999999999)/', undefined, 'Europe/Copenhagen'), 'object');
  });

  test('the day of a time is that of a time zone', () => {
    const time = new Date('2026-11-20T23:30:00Z');
    assert.equal(dayOf(time, 'Europe/Copenhagen'), 20261121);
    assert.equal(dayOf(time, 'America/New_York'), 20261120);
    assert.equal(dayOf(new Date('2026-11-20T02:00:00Z'), 'America/New_York'), 20261119);
  });

  for (const [time, timezone, began] of [
    ['2026-11-20T23:30:15.250Z', 'UTC', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T23:30:15Z', 'Europe/Copenhagen', '2026-11-20T23:00:00.000Z'],
    ['2026-11-20T02:00:00Z', 'America/New_York', '2026-11-19T05:00:00.000Z'],
    // The clocks are changed at three in the morning: forward, and back.
    ['2026-03-29T10:00:00Z', 'Europe/Copenhagen', '2026-03-28T23:00:00.000Z'],
    ['2026-10-25T10:00:00Z', 'Europe/Copenhagen', '2026-10-24T22:00:00.000Z'],
    ['2026-11-20T10:00:00Z', 'Asia/Kathmandu', '2026-11-19T18:15:00.000Z'],
  ] as const) {
    test(`in ${timezone} the day of ${time} began at ${began}`, () =>
      assert.equal(dayBegan(new Date(time), timezone).toISOString(), began));
  }

  test('the day of a time is that of UTC', () => {
    assert.equal(dayOf(new Date('2026-11-20T23:59:59Z')), 20261120);
  });
});
