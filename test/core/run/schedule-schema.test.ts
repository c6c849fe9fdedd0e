import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cronProblem, isTimezone, ScheduleSettings } from '../../../src/core/run/schedule-schema.ts';

suite('checking a schedule', () => {
  test('takes what crontab takes, and says what is wrong with anything else', () => {
    for (const good of ['15 2 * * *', '15 2-8 * * 1-5', '0 3 L * *', '*/5 * * * MON-FRI', '0 0 29 2 *']) {
      assert.equal(cronProblem(good), undefined, good);
    }
    for (const bad of ['', '15 2', '@daily', '0 15 2 * * *', '61 * * * *', '0 0 30 2 *', 'H 2 * * *', 'a b c d e']) {
      assert.equal(typeof cronProblem(bad), 'string', bad);
    }
  });

  test('knows zones by their places only', () => {
    assert.deepEqual(['Europe/Copenhagen', 'UTC', 'Mars/Base', '+02:00', ''].map(isTimezone), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('takes days and spans of days that are on the calendar, and makes up for twelve hours', () => {
    const parse = (...blackout: string[]) =>
      ScheduleSettings.safeParse({ cron: '15 2 * * *', timezone: 'Europe/Copenhagen', blackout });
    assert.deepEqual(parse('2026-12-24', '2026-12-24/2027-01-01').data, {
      ...{ cron: '15 2 * * *', timezone: 'Europe/Copenhagen', catchUp: 43_200_000 },
      blackout: ['2026-12-24', '2026-12-24/2027-01-01'],
    });
    for (const bad of ['2026-02-30', '24.12.2026', '2026-12-24/2026-12-01', '2026-12-24/', '2026-1-1', '']) {
      assert.equal(parse(bad).success, false, bad);
    }
  });
});
