// Reads days as exports write them, and tells what the clocks of a time zone show.
import { quote } from '../text/format.ts';
import { say } from '../words/say.ts';
import { headingKey, words } from '../words/words.ts';

let months: ReadonlyMap<string, ReadonlySet<number>> | undefined;

/** Long and short names, alone and beside a day: Slavic languages write `październik`, but `31 października`. */
function gather(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const language of [...words().languages, 'en-GB']) {
    for (const length of ['long', 'short'] as const) {
      for (const beside of [{}, { day: 'numeric' } as const]) {
        const names = new Intl.DateTimeFormat(language, { ...beside, month: length, timeZone: 'UTC' });
        for (let month = 1; month <= 12; month += 1) {
          const parts = names.formatToParts(Date.UTC(2026, month - 1, 15));
          const key = headingKey(parts.find(({ type }) => type === 'month')?.value ?? '');
          found.set(key, (found.get(key) ?? new Set()).add(month));
        }
      }
    }
  }
  return found;
}

/** The number of a month by its name; undefined also where languages mean different ones by it. */
export function monthNamed(name: string): number | undefined {
  months ??= gather();
  const [month, ...others] = months.get(headingKey(name)) ?? [];
  return others.length === 0 ? month : undefined;
}

/** A calendar day as a number that sorts: 20261120. */
export type Day = number;

/** `20270101` as `2027-01-01`. */
export const dayText = (day: Day): string => String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

const calendars = new Map<string, Intl.DateTimeFormat>();

export function dayOf(time: Date, timezone?: string): Day {
  if (timezone !== undefined) {
    const calendar =
      calendars.get(timezone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
    calendars.set(timezone, calendar);
    return Number(calendar.format(time).replaceAll('-', ''));
  }
  return time.getUTCFullYear() * 10_000 + (time.getUTCMonth() + 1) * 100 + time.getUTCDate();
}

/** Years that stand for "never" (SAP, Oracle and Workday end with 9999, others with 2099 or 1900). */
const isNever = (year: number): boolean => year <= 1900 || year >= 2099;

/** Days with the name of a month: `20-Nov-26`, `31. Oktober 2026`, `31 de octubre de 2026`; `October 31, 2026`; `2026. október 31.` */
const named = [
  /^(?<day>\d{1,2})\.?[-. /]{1,2}(?:de )?(?<month>\p{L}[\p{L}\p{M}]{2,20})\.?[-. /,]{1,2}(?:de )?(?<year>\d{4}|\d{2})(?: г\.?| р\.?)?$/u,
  /^(?<month>\p{L}[\p{L}\p{M}]{2,20})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/u,
  /^(?<year>\d{4})\.? (?:m\. )?(?<month>\p{L}[\p{L}\p{M}]{2,20})\.? (?<day>\d{1,2})\.?(?: d\.)?$/u,
];

/** `31.03.2026 extended to 30.09.2026`. */
const anotherDay =
  /(?<![\d.:])\d{1,2}([-/])\d{1,2}\1\d{2,4}|(?<![\d.:])\d{1,2}\.\d{1,2}\.\d{4}(?!\d)|(?<!\d)\d{4}-\d\d-\d\d/;
/** Behind a time, words are of its zone. */
const clockTime = /^\s*\d{1,2}[:.h]\d\d/;

let weekdays: ReadonlySet<string> | undefined;
const gatherWeekdays = (): ReadonlySet<string> =>
  new Set(
    [...words().languages, 'en-GB'].flatMap((language) => {
      const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
      return Array.from({ length: 7 }, (_, day) => name.format(Date.UTC(2026, 5, 1 + day)).toLowerCase()).flatMap(
        (text) => text.split(/[^\p{L}\p{M}]+/u),
      );
    }),
  );

/** Whether what stands behind a day says more than its time and the day of the week: another day, or how long it holds. */
function saysMore(rest: string): boolean {
  if (anotherDay.test(rest)) return true;
  if (clockTime.test(rest)) return false;
  const long = rest.toLowerCase().match(/[\p{L}\p{M}]{5,}/gu) ?? [];
  return long.some((word) => !(weekdays ??= gatherWeekdays()).has(word));
}

/** Days that begin with the year: `2026-11-20`, `2026. 11. 20.`, `2026年11月20日`, `2026년 11월 20일`, `20261120`. */
const yearFirst = [
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/,
  /^(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\.$/,
  /^(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]$/,
  /^(\d{4})(0\d|1[0-2])(\d{2})$/,
];

/** What a spreadsheet makes of a day in a cell that is formatted as a number: days since 1899-12-30, from 1954 on. */
const serial = /^[2-6]\d{4}$|^7[0-2]\d{3}$/;
const serialOf1970 = 25_569;
/** Seconds and milliseconds since 1970, from 2001 on; of Active Directory, 100 nanoseconds since 1601, from 1981 on. */
const ticks = /^1\d{9}(?:\d{3})?$|^1[2-4]\d{16}$/;
const ticksOf1970 = 116_444_736e9;

/** `令和8年6月30日` as `2026年6月30日`. */
const inWesternYears = (text: string): string =>
  text.replace(
    /^(令和|平成)(\d{1,2}|元)年/,
    (_, era, year) => `${(era === '令和' ? 2018 : 1988) + (Number(year) || 1)}年`,
  );

/**
 * Reads a day as exports write it: with the year first and with or without a time, with the name of a month,
 * `20.11.2026`, `20.11.26`, `20112026`, `46346`, `/Date(ms)/`, seconds or milliseconds since 1970, ticks of Active Directory, and
 * `11/20/2026` or `11/20/26`, whose order must be given where both numbers could be a month. Undefined for no day: an empty
 * text, `0000-00-00`, `9999-12-31` and their like. A reason for everything else.
 * @param timezone of the day that an instant is (`2026-11-26T23:00:00Z`, `/Date(ms)/`, milliseconds); UTC unless given
 */
export function readDay(text: string, order?: 'dmy' | 'mdy', timezone?: string): Day | undefined | { reason: string } {
  if (text === '' || /^(?:[0./-]+|9223372036854775807)$/.test(text)) return undefined;
  const odata = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/.exec(text);
  if (odata) return real(dayOfInstant(new Date(Number(odata[1])), timezone), text);
  if (serial.test(text)) return real(dayOf(new Date((Number(text) - serialOf1970) * 86_400_000)), text);
  if (ticks.test(text)) {
    // Active Directory ends an account at the midnight after its last day.
    return real(dayOfInstant(new Date(millisecondsOf(text)), text.length > 13 ? undefined : timezone), text);
  }
  const behind = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T ]/.exec(text)?.[0].length;
  if (behind !== undefined && saysMore(text.slice(behind))) return { reason: say('notDay', 1, { text: quote(text) }) };
  const iso = firstMatch(yearFirst, inWesternYears(text));
  if (iso) {
    const day = toDay(Number(iso[1]), Number(iso[2]), Number(iso[3]), text);
    return typeof day === 'number' && instant.test(text) ? dayOfInstant(new Date(text), timezone) || day : day;
  }
  const words = firstMatch(named, text)?.groups;
  const month = words && monthNamed(words['month'] ?? '');
  if (words && month !== undefined) return toDay(yearOf(words['year']), month, Number(words['day']), text);
  const short =
    /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ].*)?$/.exec(text) ??
    /^(\d{1,2})([/.])(\d{1,2})\2(\d{2})$/.exec(text) ??
    /^(\d{2})()(\d{2})((?:19|20|99)\d{2})$/.exec(text);
  if (!short) return { reason: say('notDay', 1, { text: quote(text) }) };
  const [first, second, year] = [Number(short[1]), Number(short[3]), yearOf(short[4])];
  // `26/10/31` may begin with the year.
  const isLast = short[4]?.length === 4 || short[2] === '.';
  const isFirst = first > 12 && (isLast || Number(short[4]) > 31);
  const found = order ?? (short[2] === '.' || isFirst ? 'dmy' : second > 12 || first === second ? 'mdy' : undefined);
  if (found === undefined && !isNever(ourYear(year))) {
    return { reason: say('twoDays', 1, { text: quote(text) }) };
  }
  return found === 'mdy' ? toDay(year, first, second, text) : toDay(year, second, first, text);
}

const midnight = (day: Day): number => Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100);

/** How many days after one another is. */
export const daysBetween = (from: Day, to: Day): number => (midnight(to) - midnight(from)) / dayMs;

/** A time with another zone keeps the day that is written. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]00:?00)$/;
const dayMs = 86_400_000;

/** The midnight of UTC, and the last second before it, stand for a day without a time. Not a number where the time is none. */
function dayOfInstant(time: Date, timezone?: string): Day {
  const sinceMidnight = time.getTime() % dayMs;
  const isInside = sinceMidnight > 0 && sinceMidnight < dayMs - 1000;
  return dayOf(time, isInside ? timezone : undefined);
}

function millisecondsOf(text: string): number {
  if (text.length > 13) return (Number(text) - ticksOf1970) / 10_000;
  return Number(text) * (text.length === 10 ? 1000 : 1);
}

function firstMatch(patterns: readonly RegExp[], text: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return found;
  }
  return undefined;
}

/** A year as it is written; 99 stands for 9999, and from 69 on two digits are of the last century, as POSIX reads them. */
function yearOf(text = ''): number {
  if (text.length === 4) return Number(text);
  if (text === '99') return 9999;
  return Number(text) + (Number(text) < 69 ? 2000 : 1900);
}

/** The calendar of Thailand is 543 years ahead. */
const ourYear = (year: number): number => (year > 2500 && year < 2650 ? year - 543 : year);

function toDay(written: number, month: number, day: number, text: string): Day | undefined | { reason: string } {
  const year = ourYear(written);
  // In Iran and Saudi Arabia.
  if (year >= 1300 && year < 1500) return { reason: say('otherCalendar', 1, { text: quote(text) }) };
  if (isNever(year)) return undefined;
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return isReal ? year * 10_000 + month * 100 + day : { reason: say('notDay', 1, { text: quote(text) }) };
}

function real(day: Day, text: string): Day | undefined | { reason: string } {
  if (Number.isNaN(day)) return { reason: say('notDay', 1, { text: quote(text) }) };
  return isNever(Math.floor(day / 10_000)) ? undefined : day;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone show at an instant, as if that were UTC, ms. Throws a RangeError for an unknown zone. */
export function wallAt(instant: number, timezone: string): number {
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
export function instantsOf(wall: number, timezone: string): number[] {
  const offsets = [wall - dayMs, wall + dayMs].map((near) => wallAt(near, timezone) - near);
  const [before = 0] = offsets;
  const found = offsets.map((offset) => wall - offset).filter((instant) => wallAt(instant, timezone) === wall);
  return found.length > 0 ? [...new Set(found)].toSorted((a, b) => a - b) : [wall - before];
}

export function dayBegan(time: Date, timezone: string): Date {
  const wall = wallAt(time.getTime(), timezone);
  const [began = wall] = instantsOf(wall - (wall % dayMs), timezone);
  return new Date(began);
}
