// Says when a schedule is due as people say it, in the language of the page.
import { formats, t, words } from './words.ts';

const weekdays = [
  ...[words('Sunday'), words('Monday'), words('Tuesday'), words('Wednesday'), words('Thursday')],
  ...[words('Friday'), words('Saturday'), words('Sunday')],
];
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

const listed = (texts: readonly string[]): string => formats().list.format(texts);

/** The most times of a day that are listed. */
const mostTimes = 6;

function timesInWords(minute: string, hour: string): string | undefined {
  const [minutes, hours, step] = [listOf(minute), listOf(hour), stepOf(minute)];
  const every = step !== undefined && 60 % step === 0 ? step : minute === '*' ? 1 : undefined;
  if (every !== undefined) {
    if (hour === '*') return t('every [minute|# minutes]', every);
    const [from, to] = [hours?.[0], hours?.at(-1)];
    const isWhole = hours !== undefined && from !== undefined && to === from + hours.length - 1;
    if (!isWhole) return undefined;
    const said = { from: clock(from, 0), to: clock(to, 60 - every) };
    return t('every [minute|# minutes] from {from} to {to}', every, said);
  }
  if (minutes === undefined) return undefined;
  if (hour === '*') return minutes.length === 1 ? t('every hour at # minutes past', minutes[0]) : undefined;
  const each = stepOf(hour);
  const all = hours ?? (each === undefined ? [] : Array.from({ length: Math.ceil(24 / each) }, (_, at) => at * each));
  const times = all.flatMap((one) => minutes.map((past) => clock(one, past)));
  if (times.length === 0 || times.length > mostTimes) return undefined;
  return t('at {times}', 1, { times: listed(times) });
}

function daysInWords(day: string, weekday: string): string | undefined {
  if (day === 'L' && weekday === '*') return t('on the last day of each month');
  if (weekday === '*') {
    if (day === '*') return t('every day');
    const days = listOf(day)?.map(String);
    return days && t('on day {days} of each month', 1, { days: listed(days) });
  }
  const numbers = listOf(weekday.toUpperCase().replaceAll(/[A-Z]{3}/g, (name) => String(names.indexOf(name))));
  if (day !== '*' || numbers?.every((number) => number in weekdays) !== true) return undefined;
  const on = numbers.map((number) => t(weekdays[number] ?? ''));
  const isRange = on.length > 2 && weekday.includes('-') && !weekday.includes(',');
  return isRange
    ? t('{first} to {last}', 1, { first: on[0], last: on.at(-1) })
    : t('every {days}', 1, { days: listed(on) });
}

/** `every day at 02:15`, `Monday to Friday at 06:00 and 18:00`, `every 15 minutes`; undefined where that takes more words. */
export function scheduleInWords(cron: string): string | undefined {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  const [days, times] = [daysInWords(day, weekday), timesInWords(minute, hour)];
  if (month !== '*' || days === undefined || times === undefined) return undefined;
  // Every quarter of an hour is every day.
  const isAlways = day === '*' && weekday === '*' && (hour === '*' || minute.includes('*'));
  return isAlways ? times : t('{days} {times}', 1, { days, times });
}
