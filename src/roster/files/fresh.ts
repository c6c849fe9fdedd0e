// Refuses a roster that is older than `maxAge`.
import { InputError } from '../../core/errors.ts';

export function assertFresh(name: string, modifiedAt: Date, maxAge: number, now: Date): void {
  const age = now.getTime() - modifiedAt.getTime();
  if (age <= maxAge) return;
  throw new InputError(
    `${name}: it is ${sayTime(age)} old, and may be ${sayTime(maxAge)} (maxAge). Was today's export made? Nothing was read.`,
  );
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
