// Computes when a schedule is due in its time zone, across daylight-saving changes.
import { CronExpressionParser } from 'cron-parser';
import type { z } from 'zod';
import { instantsOf, wallAt } from '../cells/days.ts';
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
