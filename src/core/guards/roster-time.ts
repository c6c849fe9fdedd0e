// Refuses rosters older than the newest one released for the source (R13).
import { InputError } from '../errors.ts';
import { moment } from '../text/format.ts';
import { say } from '../words/say.ts';
import { mostWithheld } from './guard-people.ts';
import type { Trip } from './trip.ts';

/** A roster as far as it can be older or newer than another. */
export interface RosterMoment {
  /** ISO 8601; the time it speaks of. */
  time: string;
  /** Of its bytes. */
  checksum: string;
}

export interface ReleasedRoster extends RosterMoment {
  runId: string;
}

/** What a source's released rosters say about another one: the newest of them, and an earlier one of the same bytes. */
export interface ReleasedRosters {
  newest?: ReleasedRoster;
  same?: ReleasedRoster;
}

/** An older roster, or one of the same bytes as an earlier one that is not the newest, waits for a person (R13). */
export function judgeRosterTime(roster: RosterMoment, { newest, same }: ReleasedRosters): Trip | undefined {
  if (newest === undefined || newest.checksum === roster.checksum) return undefined;
  const trip = (message: string): Trip => ({ guard: 'time', scope: 'all', message });
  if (Date.parse(roster.time) < Date.parse(newest.time)) {
    const said = { own: at(roster.time), run: newest.runId, other: at(newest.time) };
    return { ...trip(say('olderRoster', 1, said)), next: [{ setting: 'asOf' }] };
  }
  return same && trip(say('sameRoster', 1, { run: same.runId, time: at(same.time), newest: newest.runId }));
}

/** Some of its files are older than events about people whom it would send for all that. */
export function judgeOlderFiles(
  people: readonly string[],
  olderFiles: Readonly<Record<string, string>> = {},
): Trip | undefined {
  if (people.length === 0) return undefined;
  const [[file, time] = ['', '']] = Object.entries(olderFiles).toSorted(([, one], [, other]) => (one < other ? -1 : 1));
  const scope = people.length > mostWithheld ? 'all' : { people: [...people] };
  return { guard: 'time', scope, message: say('olderFiles', people.length, { file, time: at(time) }) };
}

/** `2026-01-05 14:03 UTC` */
const at = (iso: string): string => `${moment(iso, 'UTC')} UTC`;

const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * The time a person says a roster speaks of: a day is its first moment in UTC, a time without a zone is this machine's.
 * `option` is how they said it, for messages: `--as-of`.
 * @throws InputError when it is none, or has not come yet: every later roster would look old
 */
export function parseRosterTime(written: string, { option, now }: { option: string; now: Date }): Date {
  const time = new Date(iso.test(written) ? written.replace(' ', 'T') : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw new InputError(`${option} ${written}: write a time like 2026-01-31 or 2026-01-31T06:00Z.`);
  }
  if (time > now) throw new InputError(`${option} ${written} is in the future.`);
  return time;
}
