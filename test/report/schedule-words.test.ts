import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleInWords } from '../../src/page/schedule-words.ts';

test('a schedule is said as people say it, and one that takes more words is not', () => {
  for (const [cron, words] of [
    ['15 2 * * *', 'every day at 02:15'],
    ['0 6,18 * * 1-5', 'Monday to Friday at 06:00 and 18:00'],
    ['0 6 * * mon-fri', 'Monday to Friday at 06:00'],
    ['0 3 * * SUN,3', 'every Sunday and Wednesday at 03:00'],
    ['30 22 * * 6-7', 'every Saturday and Sunday at 22:30'],
    ['*/15 * * * *', 'every 15 minutes'],
    ['*/15 8-17 * * 1-5', 'Monday to Friday every 15 minutes from 08:00 to 17:45'],
    ['* * * * *', 'every minute'],
    ['5 * * * *', 'every hour at 5 minutes past'],
    ['0 */6 * * *', 'every day at 00:00, 06:00, 12:00 and 18:00'],
    ['0 4 1,15 * *', 'on day 1 and 15 of each month at 04:00'],
    ['0 3 L * *', 'on the last day of each month at 03:00'],
  ] as const)
    assert.equal(scheduleInWords(cron), words, cron);
  for (const cron of [
    '0 3 1 1 *',
    '0 3 * * 5L',
    '*/7 * * * *',
    '0 3 1 * 1',
    '0 */2 * * *',
    '0 3 * * 1#2',
    '0 3 * * XXX',
  ])
    assert.equal(scheduleInWords(cron), undefined, cron);
});
