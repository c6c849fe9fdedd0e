// Measures pace, overlaps and repeats from the sandbox's record of calls.
import { personKey } from '../core/person/member.ts';
import type { SandboxCall } from './record.ts';

/** Two calls of one person that were served at the same time, in the order of their arrival. */
export interface Overlap {
  /** The person's key. */
  email: string;
  first: SandboxCall;
  second: SandboxCall;
}

/** All calls of one person who was called more than once, in the order of their arrival. */
export interface Repeat {
  /** The person's key. */
  email: string;
  calls: SandboxCall[];
}

/** The most calls that arrived within any window of the given length: of moments `t` and `t + windowMs` only one is in it. */
export function mostCallsInWindow(calls: readonly Pick<SandboxCall, 'arrivedAt'>[], windowMs: number): number {
  const times = Float64Array.from(calls, ({ arrivedAt }) => arrivedAt).toSorted();
  let most = 0;
  let oldest = 0;
  for (let newest = 0; newest < times.length; newest += 1) {
    while ((times[newest] ?? 0) - (times[oldest] ?? 0) >= windowMs) oldest += 1;
    most = Math.max(most, newest - oldest + 1);
  }
  return most;
}

/**
 * Every call that arrived while an earlier one of the same person was still being served, with the one of those that
 * ended last. A call that has not ended counts as still being served. Calls without a person are left out.
 */
export function overlappingCalls(calls: readonly SandboxCall[]): Overlap[] {
  const overlaps: Overlap[] = [];
  const open = new Map<string, SandboxCall>();
  for (const second of calls.toSorted((a, b) => a.arrivedAt - b.arrivedAt)) {
    if (second.email === undefined) continue;
    const email = personKey(second.email);
    const first = open.get(email);
    if (first && second.arrivedAt < endOf(first)) overlaps.push({ email, first, second });
    if (!first || endOf(second) > endOf(first)) open.set(email, second);
  }
  return overlaps;
}

/** Every person who was called more than once; the calls beyond the first are `calls.length - 1`. */
export function repeatedCalls(calls: readonly SandboxCall[]): Repeat[] {
  const named = calls.filter(({ email }) => email !== undefined);
  const people = Map.groupBy(named, ({ email = '' }) => personKey(email));
  return [...people].flatMap(([email, ofOne]) => (ofOne.length > 1 ? [{ email, calls: ofOne }] : []));
}

function endOf(call: SandboxCall): number {
  return call.endedAt ?? Infinity;
}
