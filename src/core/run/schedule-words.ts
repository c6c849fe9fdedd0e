// Says when a schedule is due as people say it.
import { someOf } from '../text/format.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const names = weekdays.map((name) => name.slice(0, 3).toUpperCase());

/** The values of a field that lists numbers and ranges; undefined for any other. */
function listOf(field: string): number[] | undefined {
  const parts = field.split(',').map((part) => /^(\d+)(?:-(\d+))?$/.exec(part));
  const lists = parts.map((part) => {
    if (!part) return undefined;
    const [first, last] = [Number(part[1]), Number(part[2] ?? part[1])];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  });
  return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? []);
}

const stepOf = (field: string): number | undefined => {
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? [];
  return step === undefined ? undefined : Number(step);
};

const clock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** The most times of a day that are listed. */
const mostTimes = 6;

function timesInWords(minute: string, hour: string): string | undefined {
  const [minutes, hours, step] = [listOf(minute), listOf(hour), stepOf(minute)];
  const every = step !== undefined && 60 % step === 0 ? step : minute === '*' ? 1 : undefined;
  if (every !== undefined) {
    const often = every === 1 ? 'every minute' : `every ${every} minutes`;
    if (hour === '*') return often;
    const [from, to] = [hours?.[0], hours?.at(-1)];
    const isWhole = hours !== undefined && from !== undefined && to === from + hours.length - 1;
    return isWhole ? `${often} from ${clock(from, 0)} to ${clock(to, 60 - every)}` : undefined;
  }
  if (minutes === undefined) return undefined;
  if (hour === '*') return minutes.length === 1 ? `every hour at ${minutes[0]} minutes past` : undefined;
  const each = stepOf(hour);
  const all = hours ?? (each === undefined ? [] : Array.from({ length: Math.ceil(24 / each) }, (_, at) => at * each));
  const times = all.flatMap((one) => minutes.map((past) => clock(one, past)));
  return times.length > 0 && times.length <= mostTimes ? `at ${someOf(times, mostTimes)}` : undefined;
}

function daysInWords(day: string, weekday: string): string | undefined {
  if (day === 'L' && weekday === '*') return 'on the last day of each month';
  if (weekday === '*') {
    const days = listOf(day);
    return day === '*' ? 'every day' : days && `on day ${someOf(days.map(String), 31)} of each month`;
  }
  const numbers = listOf(weekday.toUpperCase().replaceAll(/[A-Z]{3}/g, (name) => String(names.indexOf(name))));
  const on = numbers?.map((number) => weekdays[number] ?? '');
  if (day !== '*' || on === undefined || on.includes('')) return undefined;
  const isRange = on.length > 2 && weekday.includes('-') && !weekday.includes(',');
  return isRange ? `${on[0]} to ${on.at(-1)}` : `every ${someOf(on, 7)}`;
}

/** `every day at 02:15`, `Monday to Friday at 06:00 and 18:00`, `every 15 minutes`; undefined where that takes more words. */
export function scheduleInWords(cron: string): string | undefined {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  const [days, times] = [daysInWords(day, weekday), timesInWords(minute, hour)];
  if (month !== '*' || days === undefined || times === undefined) return undefined;
  return days === 'every day' && times.startsWith('every ') ? times : `${days} ${times}`;
}
