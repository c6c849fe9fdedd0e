// Reads a `Retry-After` header, in seconds or as a date.
import { longestThrottle } from './throttle.ts';

/**
 * The wait that a `Retry-After` header asks for, ms, in both forms of RFC 9110, section 10.2.3: seconds
 * (a fraction is rounded up), or an HTTP-date. A date is judged against the response's own `Date`, so that a wrong
 * clock on this machine does no harm, else against `now` (ms since the epoch). A date in the past is a wait of 0.
 * Undefined for everything else: absent, negative, garbage. At most a day.
 */
export function retryAfter(value: string | undefined, date: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), longestThrottle);
  const until = parseHttpDate(text);
  if (until === undefined) return undefined;
  const since = (date === undefined ? undefined : parseHttpDate(date.trim())) ?? now;
  return Math.min(Math.max(until - since, 0), longestThrottle);
}

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const time = '\\d{2}:\\d{2}:\\d{2}';
/** The three forms of RFC 9110, section 5.6.7: IMF-fixdate, RFC 850 (two-digit year), and asctime. */
const fixdate = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} ${month} \\d{4} ${time} GMT$`);
const rfc850 = new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d{2}-${month}-\\d{2} ${time} GMT$`);
const asctime = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} [\\d ]\\d ${time} \\d{4}$`);

function parseHttpDate(text: string): number | undefined {
  const parsed =
    fixdate.test(text) || rfc850.test(text)
      ? Date.parse(text)
      : asctime.test(text)
        ? Date.parse(`${text} GMT`)
        : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}
