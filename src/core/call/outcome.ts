// Judges an accepted answer against the groups asked for, and defines the outcomes of a delivery.
import type { GroupResult } from './answer.ts';

/** How a delivery ended; docs/development/architecture.md and docs/glossary.md say when each arises. */
export const outcomes = ['succeeded', 'partial', 'failed', 'unknown', 'superseded', 'cancelled'] as const;
export type Outcome = (typeof outcomes)[number];

type Counts = Partial<Record<Outcome, number>>;

/** How many deliveries have ended, in whichever way. */
export const countEnded = (counts: Counts): number => Object.values(counts).reduce((sum, each) => sum + each, 0);

/** Every outcome but `succeeded` and `superseded`; with these and the open ones, all whom the run was to send. */
export function countUndelivered({ partial = 0, failed = 0, unknown = 0, cancelled = 0 }: Counts): number {
  return partial + failed + unknown + cancelled;
}

export interface Judgement {
  outcome: 'succeeded' | 'partial' | 'unknown';
  /** Empty when there is nothing to remark. */
  reason: string;
}

/**
 * Judges an accepted answer against the request: every requested group must have answered `success`.
 * Groups are matched by name, in any order; an order other than the request's is only remarked on. Of a group that
 * is named more than once every item counts, so that no failure hides behind a success.
 * A group that is missing from the answer makes the outcome unknown: nobody can say whether it happened.
 */
export function judge(requested: readonly string[], results: readonly GroupResult[]): Judgement {
  const statusOf = new Map<string, string>();
  for (const { group, status } of results) {
    const name = group.normalize('NFC');
    if ((statusOf.get(name) ?? 'success') === 'success') statusOf.set(name, status);
  }
  const missing = requested.filter((group) => !statusOf.has(group.normalize('NFC')));
  if (missing.length > 0) return { outcome: 'unknown', reason: `the answer does not mention ${list(missing)}` };
  const refused = requested.filter((group) => statusOf.get(group.normalize('NFC')) !== 'success');
  if (refused.length > 0) {
    const statuses = refused.map((group) => `${group}: ${statusOf.get(group.normalize('NFC'))}`);
    return { outcome: 'partial', reason: `not "success" for ${list(statuses)}` };
  }
  if (results.length > requested.length)
    return { outcome: 'succeeded', reason: 'the answer names groups nobody asked for' };
  const inOrder = requested.every((group, at) => results[at]?.group.normalize('NFC') === group.normalize('NFC'));
  return { outcome: 'succeeded', reason: inOrder ? '' : 'the groups came in another order' };
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
