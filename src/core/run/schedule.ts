// Computes when a schedule is due in its time zone, across daylight-saving changes.
import { CronExpressionParser } from 'cron-parser';
import type { z } from 'zod';
import type { ScheduleSettings } from './schedule-schema.ts';

export type Schedule = z.output<typeof ScheduleSettings>;

/** The name under which the schedule of answers goes among those of sources: none of these can be called so. */
export const answersSchedule = '(answers)';

export function configuredSchedules({
  sources,
  answers,
}: {
  sources: Readonly<Record<string, { schedule?: Schedule }>>;
  answers: { schedule?: Schedule };
}): Map<string, Schedule> {
  const all = [...Object.entries(sources), [answersSchedule, answers] as const];
  return new Map(all.flatMap(([name, { schedule }]) => (schedule ? [[name, schedule] as const] : [])));
}

export type Timetable = Pick<Schedule, 'cron' | 'timezone'>;

const hourMs = 3_600_000;
/** No zone moves its clocks by more at once. */
const mostMovedMs = 3 * hourMs;
const dayMs = 24 * hourMs;
/** The spans searched one after the other until a time is found; even 29 February is due within eight years. */
const windowsMs = [hourMs, dayMs + hourMs, 32 * dayMs, 367 * dayMs, 8.1 * 366 * dayMs];

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone show at an instant, as if that were UTC, ms. Throws a RangeError for an unknown zone. */
function wallAt(instant: number, timezone: string): number {
  let clock = clocks.get(timezone);
  if (clock === undefined) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    const settings = { calendar: 'iso8601', numberingSystem: 'latn', hourCycle: 'h23', second: 'numeric' } as const;
    clock = new Intl.DateTimeFormat('en', { timeZone: timezone, ...settings, ...parts });
    clocks.set(timezone, clock);
  }
  const at = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = at;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
}

/** The instants at which the clocks of a zone show this time; if they skip it, the time later by the skipped amount. */
function instantsOf(wall: number, timezone: string): number[] {
  const offsets = [wall - dayMs, wall + dayMs].map((near) => wallAt(near, timezone) - near);
  const [before = 0] = offsets;
  const found = offsets.map((offset) => wall - offset).filter((instant) => wallAt(instant, timezone) === wall);
  return found.length > 0 ? [...new Set(found)].toSorted((a, b) => a - b) : [wall - before];
}

/**
 * Every time that is due after `from` and until `to`, in order. What cron means is asked of a clock that never moves,
 * and only then put into the zone: a time that the clocks skip is due when they have moved, one that they show twice is
 * due the first time; only where the hour is `*` both times. Does not depend on where the looking begins.
 */
export function dueBetween({ cron, timezone }: Timetable, from: Date, to: Date): Date[] {
  const first = wallAt(from.getTime(), timezone) - mostMovedMs;
  const last = wallAt(to.getTime(), timezone) + mostMovedMs;
  const everyHour = cron.trim().split(/\s+/)[1] === '*';
  const times = CronExpressionParser.parse(cron, {
    tz: 'UTC',
    currentDate: new Date(first),
    endDate: new Date(last),
  });
  const due = new Set<number>();
  while (times.hasNext()) {
    const instants = instantsOf(times.next().getTime(), timezone);
    for (const instant of everyHour ? instants : instants.slice(0, 1)) {
      if (instant > from.getTime() && instant <= to.getTime()) due.add(instant);
    }
  }
  return [...due].toSorted((a, b) => a - b).map((instant) => new Date(instant));
}

/** Undefined where there is none. */
export function nextDue(timetable: Timetable, after: Date): Date | undefined {
  for (const window of windowsMs) {
    const [next] = dueBetween(timetable, after, new Date(after.getTime() + window));
    if (next) return next;
  }
  return undefined;
}

export function nextTimes(timetable: Timetable, after: Date, count: number): Date[] {
  const times: Date[] = [];
  for (let next = nextDue(timetable, after); next && times.length < count; next = nextDue(timetable, next)) {
    times.push(next);
  }
  return times;
}

/** After `since` and until `now`. Undefined where there is none. */
export function lastDue(timetable: Timetable, since: Date, now: Date): Date | undefined {
  for (const window of windowsMs) {
    const from = new Date(Math.max(since.getTime(), now.getTime() - window));
    const last = dueBetween(timetable, from, now).at(-1);
    if (last || from.getTime() === since.getTime()) return last;
  }
  return undefined;
}

/** Whether an instant falls on a day on which nothing is to be read. */
export function isBlackedOut({ blackout, timezone }: Pick<Schedule, 'blackout' | 'timezone'>, instant: Date): boolean {
  const day = new Date(wallAt(instant.getTime(), timezone)).toISOString().slice(0, 10);
  return blackout.some((entry) => {
    const [first = '', last = first] = entry.split('/');
    return day >= first && day <= last;
  });
}

/** A time as the clocks of its zone show it: `2026-03-29 03:15`. */
export function showTime(instant: Date, timezone: string): string {
  return new Date(wallAt(instant.getTime(), timezone)).toISOString().slice(0, 16).replace('T', ' ');
}
