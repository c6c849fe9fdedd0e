// Names the cause of failures, and says whether a retry can help.
import type { AnswerKind } from '../call/answer.ts';
import type { Outcome } from '../call/outcome.ts';
import { say } from '../words/say.ts';

/** The worst first. */
export const failedOutcomes = ['failed', 'partial', 'unknown'] as const satisfies Outcome[];
export type FailedOutcome = (typeof failedOutcomes)[number];

/** What failures have in common: the outcome, the kind and the status of the last answer, and what it said. */
export interface Cause {
  outcome: FailedOutcome;
  /** Null where no answer was kept. */
  kind: AnswerKind | null;
  /** The HTTP status; null where there was no response. */
  status: number | null;
  /** The first 8 hexadecimal characters of the MD5 of what was said; null where it differs too often to tell apart. */
  said: string | null;
}

/** A cause as one word for addresses and programs: `failed.rejected.422.3f2a9c1d`; `-` is none. */
export function writeCause({ outcome, kind, status, said }: Cause): string {
  return [outcome, kind ?? '-', status ?? '-', said ?? '-'].join('.');
}

export const causePattern = /^(failed|partial|unknown)\.([a-z-]{1,20})\.(\d{3}|-)\.([0-9a-f]{8}|-)$/;

export function readCause(word: string): Cause | undefined {
  const [whole, outcome, kind, status, said] = causePattern.exec(word) ?? [];
  if (whole === undefined) return undefined;
  return {
    outcome: outcome as FailedOutcome,
    kind: kind === '-' ? null : (kind as AnswerKind),
    status: status === '-' ? null : Number(status),
    said: said === '-' || said === undefined ? null : said,
  };
}

/** Whether the same call may end otherwise, and that in a sentence or two. */
export function adviceFor({ outcome, kind, status }: Omit<Cause, 'said'>): { retryHelps: boolean; words: string } {
  if (
    outcome === 'unknown' &&
    (kind === 'rejected' || kind === 'refused' || kind === 'broken' || kind === 'not-sent')
  ) {
    return { retryHelps: kind !== 'rejected', words: say('advice-after-arrival', 1) };
  }
  if (kind === null) return { retryHelps: status === null, words: say('advice-without-answer', 1) };
  if (kind === 'accepted' && outcome === 'partial') return { retryHelps: false, words: say('advice-partial', 1) };
  return { retryHelps: kind !== 'rejected', words: say(`advice-${kind}`, 1) };
}
