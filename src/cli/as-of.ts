import { InputError } from '../core/errors.ts';

const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * The time a person says a roster speaks of: a day is its first moment in UTC, a time without a zone is this machine's.
 * @throws InputError when it is none, or has not come yet: every later roster would look old
 */
export function parseTime(written: string, now: Date): Date {
  const time = new Date(iso.test(written) ? written.replace(' ', 'T') : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw new InputError(`--as-of ${written}: write a time like 2026-01-31 or 2026-01-31T06:00Z.`);
  }
  if (time > now) throw new InputError(`--as-of ${written} has not come yet.`);
  return time;
}
