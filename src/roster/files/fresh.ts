// Chooses the newest of several files, and refuses those that are older than `maxAge`.
import { InputError } from '../../core/errors.ts';

interface Dated {
  path: string;
  modifiedAt: Date;
}

/** Throws an `InputError` for the first that is older than it may be, ms. */
export function assertFresh(found: readonly Dated[], maxAge: number = Infinity, now: Date): void {
  for (const { path, modifiedAt } of found) {
    const age = now.getTime() - modifiedAt.getTime();
    if (age <= maxAge) continue;
    throw new InputError(
      `${path}: it is ${sayTime(age)} old, and may be ${sayTime(maxAge)} (maxAge). Was today's export made? Nothing was read.`,
    );
  }
}

/** The newest of several, or all, the oldest first. Throws an `InputError` with these words where there is none. */
export function picked<File extends Dated>(
  found: readonly File[],
  pick: 'newest' | 'all',
  refusal: string,
): [File, ...File[]] {
  const ordered = found.toSorted(
    (a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime() || (a.path < b.path ? -1 : 1),
  );
  const [first, ...others] = pick === 'all' ? ordered : ordered.slice(-1);
  if (first) return [first, ...others];
  throw new InputError(refusal);
}

/** A length of time as a person says it: `26 hours`, `3 days`. */
function sayTime(ms: number): string {
  const units: [string, number][] = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ];
  const [unit, length] = units.find(([, length]) => ms >= 2 * length) ?? ['second', 1000];
  const count = Math.floor(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
