import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { dueBetween, isBlackedOut, lastDue, nextDue, nextTimes } from '../../../src/core/run/schedule.ts';
import { moment } from '../../../src/core/text/format.ts';

const copenhagen = (cron: string) => ({ cron, timezone: 'Europe/Copenhagen' });
const times = (cron: string, from: string, count: number): string[] =>
  nextTimes(copenhagen(cron), new Date(from), count).map((time) => time.toISOString().slice(5, 16));

suite('when a schedule is due', () => {
  test('a time that the clocks skip is due as much later as they are moved', () => {
    assert.deepEqual(times('15 2 * * *', '2026-03-27T12:00Z', 3), ['03-28T01:15', '03-29T01:15', '03-30T00:15']);
    assert.equal(moment('2026-03-29T01:15Z', 'Europe/Copenhagen'), '2026-03-29 03:15');
  });

  test('a time that the clocks show twice is due once, wherever the looking begins', () => {
    assert.deepEqual(times('15 2 * * *', '2026-10-24T12:00Z', 2), ['10-25T00:15', '10-26T01:15']);
    for (const from of ['00:15', '00:30', '01:00', '01:10', '01:15']) {
      assert.deepEqual(times('15 2 * * *', `2026-10-25T${from}Z`, 1), ['10-26T01:15'], from);
    }
  });

  test('a time skipped at midnight is not left out', () => {
    const cairo = { cron: '30 0 * * *', timezone: 'Africa/Cairo' };
    const [first, second] = nextTimes(cairo, new Date('2026-04-23T12:00Z'), 2);
    assert.equal(first?.toISOString(), '2026-04-23T22:30:00.000Z');
    assert.equal(second?.toISOString(), '2026-04-24T21:30:00.000Z');
  });

  test('what is due every half hour of every hour goes on through both changes', () => {
    assert.deepEqual(times('*/30 * * * *', '2026-10-25T00:15Z', 4), [
      ...['10-25T00:30', '10-25T01:00', '10-25T01:30', '10-25T02:00'],
    ]);
    assert.deepEqual(times('*/30 * * * *', '2026-03-29T00:15Z', 3), ['03-29T00:30', '03-29T01:00', '03-29T01:30']);
  });

  test('of every zone, each day has its one time, over two years', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const hour = fc.nat(23);
    const from = new Date('2026-01-01T12:00Z');
    const to = new Date('2028-01-01T12:00Z');
    fc.assert(
      fc.property(zones, hour, fc.nat(59), (timezone, hour, minute) => {
        const due = dueBetween({ cron: `${minute} ${hour} * * *`, timezone }, from, to);
        const days = due.map((time) => moment(time.toISOString(), timezone).slice(0, 10));
        assert.equal(new Set(days).size, days.length, 'twice a day');
        // Of the first and the last day only a part counts, and not as much of both where the zone has changed its time for good.
        const whole = days.filter((day) => day > '2026-01-02' && day < '2027-12-31');
        assert.equal(whole.length, 727);
      }),
      { numRuns: 25, examples: [['Africa/El_Aaiun', 12, 1]] },
    );
  });

  test('looked for from anywhere, the next time is the same, and the last before it too', () => {
    const timetable = copenhagen('15 2-8 * * *');
    const from = new Date('2026-10-23T00:00Z').getTime();
    fc.assert(
      fc.property(fc.nat(5 * 24 * 60), (minutes) => {
        const now = new Date(from + minutes * 60_000);
        const all = dueBetween(timetable, new Date(from - 86_400_000), new Date(from + 9 * 86_400_000));
        assert.deepEqual(
          nextDue(timetable, now),
          all.find((time) => time > now),
        );
        assert.deepEqual(
          lastDue(timetable, new Date(from - 86_400_000), now),
          all.findLast((time) => time <= now),
        );
      }),
      { numRuns: 50 },
    );
  });

  test('finds the last time however long ago it was, but none that is not after the one that is known', () => {
    const yearly = copenhagen('0 3 1 1 *');
    const now = new Date('2026-12-30T00:00Z');
    assert.equal(lastDue(yearly, new Date(0), now)?.toISOString(), '2026-01-01T02:00:00.000Z');
    assert.equal(lastDue(yearly, new Date('2026-01-01T02:00Z'), now), undefined);
    assert.equal(nextDue(copenhagen('0 3 29 2 *'), now)?.toISOString(), '2028-02-29T02:00:00.000Z');
  });

  test('a day is left out as the zone counts days, the ends of several included', () => {
    const schedule = { blackout: ['2026-12-24/2026-12-26', '2027-01-01'], timezone: 'Europe/Copenhagen' };
    const out = (at: string): boolean => isBlackedOut(schedule, new Date(at));
    assert.deepEqual(
      ['2026-12-23T22:59Z', '2026-12-23T23:00Z', '2026-12-26T22:59Z', '2026-12-26T23:00Z', '2026-12-31T23:00Z'].map(
        out,
      ),
      [false, true, true, false, true],
    );
  });
});
