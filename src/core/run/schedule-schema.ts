// The schemas of `schedule` and `answers`: when `serve` reads a source, and when it fetches the answers to stories.
import { attempt } from '../attempt.ts';
import type * as CronParser from 'cron-parser';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { duration, text, wordOf, textUpTo } from '../settings/values.ts';

export function cronProblem(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5) return 'must have five fields (minute, hour, day, month, weekday), like "15 2 * * *"';
  if (/h/i.test(fields.slice(0, 3).join(''))) return 'must name fixed times; H, which means any time, is not allowed';
  // Loaded only for configs with a schedule, because it loads slowly.
  const { CronExpressionParser } = createRequire(import.meta.url)('cron-parser') as typeof CronParser;
  try {
    CronExpressionParser.parse(cron, { tz: 'UTC', currentDate: new Date(0) }).next();
    return undefined;
  } catch (error) {
    return `is not a cron expression: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Whether a time zone is known here. An offset like `+02:00` has no summer time, and people mean a place. */
export function isTimezone(name: string): boolean {
  return !/^[+-]/.test(name) && attempt(() => new Intl.DateTimeFormat('en', { timeZone: name })) !== undefined;
}

const isDay = (value: string | undefined): boolean =>
  value === undefined || (/^\d{4}-\d\d-\d\d$/.test(value) && isOnCalendar(value));

function isOnCalendar(day: string): boolean {
  const time = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

const days = 'must be a day like 2026-12-24, or the first and the last of several like 2026-12-24/2027-01-01';

export const ScheduleSettings = z.strictObject(
  {
    /** Five fields, as crontab(5) has them, with the names and the `L` of cron-parser. */
    cron: textUpTo(200).superRefine((value, context) => {
      const message = cronProblem(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }),
    timezone: textUpTo(100).refine(isTimezone, { error: 'must be a time zone of the IANA, like Europe/Copenhagen' }),
    /** A time that was missed is made up for when it is no longer ago, ms. */
    catchUp: duration().prefault('12h'),
    /** Days on which nothing is read, `2026-12-24`, or the first and the last of several, `2026-12-24/2027-01-01`. */
    blackout: z
      .array(
        z.string({ error: days }).refine(
          (value) => {
            const [first = '', last, ...more] = value.split('/');
            return more.length === 0 && isDay(first) && isDay(last) && first <= (last ?? first);
          },
          { error: days },
        ),
        { error: 'must be a list of days' },
      )
      .prefault([]),
  },
  { error: 'must be settings like { cron: "15 2 * * *", timezone: Europe/Copenhagen }' },
);

const kept = ['counts', 'people'] as const;

/** Times are in ms. */
export const Answers = z
  .strictObject({
    silence: duration().prefault('2m'),
    timeout: duration().prefault('1h'),
    schedule: ScheduleSettings.exactOptional(),
    stories: z.array(text(), { error: 'must be a list of stories like [Fire safety, "4711"]' }).prefault([]),
    app: text().exactOptional(),
    groups: z.array(text(), { error: 'must be a list of groups like [Sales]' }).prefault([]),
    keep: wordOf(kept).prefault('counts'),
  })
  .prefault({});
export type Answers = z.output<typeof Answers>;
