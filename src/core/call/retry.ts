// Decides what happens to a delivery after an answer: end, retry, halt.
import type { Answer } from './answer.ts';
import { judge, type Outcome } from './outcome.ts';

export interface RetryPolicy {
  /** Calls that may fail for good reasons of their own before the delivery ends; throttling and outages do not count. */
  attempts: number;
  /** Back-off in ms: doubles from `first` up to `max`; the wait is a random share of it ("full jitter"). */
  backoff: { first: number; max: number };
}

/** A call of this `run` or of its source's run before it; else a call of any run of the `service`; else `nothing`. */
export type AcceptedBefore = 'run' | 'service' | 'nothing';

/** What must be known about a delivery and its run to decide what an answer means. */
export interface Situation {
  groups: readonly string[];
  attempts: number;
  /** Whether the breaker is open: an outage uses up no attempts. */
  outage: boolean;
  accepted: AcceptedBefore;
  /** Whether an earlier call of this delivery may have arrived, so that no later answer can say that nothing did (R7). */
  mayHaveArrived: boolean;
}

/**
 * What to do after an answer.
 * - `end`: the delivery has its outcome
 * - `again`: call again with the same body, not before `waitMs` have passed; `attempt` says whether this one counts
 * - `halt`: the delivery goes back as it was, and the whole run stops with the reason
 */
export type Decision =
  | { next: 'end'; outcome: Extract<Outcome, 'succeeded' | 'partial' | 'failed' | 'unknown'>; reason: string }
  | { next: 'again'; waitMs: number; attempt: boolean; reason: string }
  | { next: 'halt'; reason: string };

/** Decides, from the answer alone and without a clock, what happens to a delivery. `random` is in [0, 1). */
export function decide(answer: Answer, situation: Situation, policy: RetryPolicy, random: number): Decision {
  switch (answer.kind) {
    case 'accepted': {
      const { outcome, reason } = judge(situation.groups, answer.results);
      return { next: 'end', outcome, reason };
    }
    case 'refused':
      if (answer.renewed)
        return { next: 'again', waitMs: 0, attempt: false, reason: 'the token file held a new token' };
      if (answer.response.httpStatus === 403 && situation.accepted === 'run') {
        return failedOrUnknown(answer, situation);
      }
      return { next: 'halt', reason: answer.reason };
    case 'rejected':
      if (looksLikeWrongAddress(answer) && situation.accepted === 'nothing') {
        return { next: 'halt', reason: `${answer.reason}: this does not look like the service's address` };
      }
      return failedOrUnknown(answer, situation);
    case 'unrecognised':
      return { next: 'end', outcome: 'unknown', reason: answer.reason };
    case 'throttled':
      return { next: 'again', waitMs: answer.waitMs ?? 0, attempt: false, reason: answer.reason };
    case 'broken':
    case 'not-sent':
    case 'may-have-happened': {
      if (situation.outage) return { next: 'again', waitMs: 0, attempt: false, reason: answer.reason };
      const used = situation.attempts + 1;
      if (used < policy.attempts) {
        return { next: 'again', waitMs: backoff(used, policy, random), attempt: true, reason: answer.reason };
      }
      if (answer.kind === 'may-have-happened') return { next: 'end', outcome: 'unknown', reason: answer.reason };
      return failedOrUnknown(answer, situation);
    }
  }
}

function failedOrUnknown({ reason }: { reason: string }, { mayHaveArrived }: Situation): Decision {
  return mayHaveArrived
    ? { next: 'end', outcome: 'unknown', reason: `${reason}; an earlier call may have arrived` }
    : { next: 'end', outcome: 'failed', reason };
}

/** Nobody is there, or a web server answers: a redirect, "not found", "method not allowed" (R8; else R5). */
export function looksLikeWrongAddress(answer: Answer): boolean {
  if (answer.kind === 'not-sent') return answer.nobodyThere === true;
  if (answer.kind !== 'rejected') return false;
  const { httpStatus } = answer.response;
  return httpStatus < 400 || httpStatus === 404 || httpStatus === 405;
}

/** Full jitter: a random share of `first × 2^(used - 1)`, capped, but at least a tenth so that nobody spins. */
function backoff(used: number, { backoff: { first, max } }: RetryPolicy, random: number): number {
  const ceiling = Math.min(max, first * 2 ** Math.min(used - 1, 30));
  return Math.round(ceiling * (0.1 + 0.9 * random));
}
