// Decides when a run is paused because of its failures.
import { say } from '../words/say.ts';
import type { AnswerKind } from './answer.ts';

/** How one delivery ended: `kind` and HTTP `status` are of its last answer, null where there was none. */
export interface Ended {
  outcome: string;
  kind: AnswerKind | null;
  status: number | null;
}

/** What the brake looks at: how the deliveries of a run ended since it was last released, `again` ones left out. */
export interface Tally {
  /** The newest first, at most ten. */
  newest: readonly Ended[];
  /** The first fifty to end, or fewer while fewer have. */
  first: { ended: number; failed: number };
  /** Outcomes that are unknown because the answer was never seen before. */
  unrecognised: number;
}

const inARow = 10;
const firstFew = 50;
const shareOfFirstFew = 0.2;
const unrecognisedAllowed = 2;

/** The reason to pause a run (R6, R8), or undefined while nothing looks wrong. */
export function reasonToPause({ newest, first, unrecognised }: Tally): string | undefined {
  if (unrecognised > unrecognisedAllowed) {
    return say('unrecognisedAnswers', unrecognised);
  }
  const [last] = newest;
  const isAlike = ({ outcome, kind, status }: Ended): boolean =>
    outcome === 'failed' && kind === last?.kind && status === last?.status;
  if (last && newest.filter(isAlike).length >= inARow) {
    return say('failedInARow', inARow, { how: sayAnswer(last) });
  }
  if (first.failed >= firstFew * shareOfFirstFew) {
    return say('failedOfFirst', first.failed, { ended: first.ended });
  }
  return undefined;
}

/** `rejected 400`; without a response `not-sent`. */
function sayAnswer({ kind, status }: Ended): string {
  return [kind, status].filter((word) => word !== null).join(' ');
}
