import { randomUUID } from 'node:crypto';
import { Condition } from '../core/condition.ts';
import { tempo, type Tempo } from '../core/tempo.ts';
import { PaceBook, type Rate, slackOf } from '../core/pacing.ts';

/** A slot at a time on the store's clock, of the pace of this name; or how long it would be until one. */
export type Reservation = { at: number; pace: string } | { waitMs: number };

/** The last look before a call is a round trip to the ledger: it begins so many ms before the slot. */
export const lookAheadMs = 25;

/** How long, ms, after the moment at which the ledger says it began, a call leaves at the latest. */
export function latenessOf(rate: Rate): number {
  return lookAheadMs + slackOf(rate);
}

/** Where the pace of a service and its condition are kept: in this process, or in Redis for all. Times are ms. */
export interface PaceStore {
  /** The store's clock. */
  now(): number;
  /** Takes the next free slot, unless it is more than `aheadMs` away. */
  reserve(aheadMs: number): Promise<Reservation>;
  /** Nobody calls for so long from now; a longer hold stays. This process knows at once, the others with their next look. */
  hold(waitMs: number): Promise<void>;
  /** Makes sure that what is known of gate, condition and the pace's name is fresh: to be asked before a call. */
  look(): Promise<void>;
  /** The pace's name, as far as known: it has another one after it was lost, and the slots from before are void. */
  readonly pace: string;
  /** The time before which nobody calls, as far as known. */
  readonly gate: number;
  /** The condition, as far as known; not to be changed. */
  readonly condition: Condition;
  /** Changes the condition, for everybody. */
  change<Result>(apply: (condition: Condition) => Result): Promise<Result>;
}

/** What is known of a service from before: asked when a pace begins, and when Redis has lost it. */
export interface PaceBeginning {
  /** How long ago, ms, calls were begun that still count in a window, the longest ago first. */
  callsAgo: readonly number[];
  /** The share of the rate that the service bore when it was last called. */
  share: number;
  /** How long, ms, the service has asked not to be called; absent when it has not. */
  heldMs?: number;
}

/** The condition of a service about which only its pace is known. */
export function conditionWithShare(share: number, given: Tempo): Condition {
  const { state } = new Condition();
  return new Condition({ ...state, adaptive: { ...state.adaptive, share } }, given);
}

/** A pace in this process alone. `clock` is monotonic, ms. */
export function createLocalStore(
  rate: Rate,
  beginning: () => Promise<PaceBeginning>,
  given: Tempo = tempo,
  clock: () => number = () => performance.now(),
): PaceStore {
  let book = new PaceBook(rate);
  let condition = new Condition(undefined, given);
  let begun: Promise<void> | undefined;
  const pace = randomUUID();

  async function begin(): Promise<void> {
    const { callsAgo, share, heldMs = 0 } = await beginning();
    const now = clock();
    const gate = Math.max(book.gate, heldMs > 0 ? now + heldMs : -Infinity);
    book = new PaceBook(
      rate,
      callsAgo.map((ago) => now - Math.max(0, ago - latenessOf(rate))),
    );
    book.hold(gate);
    condition = conditionWithShare(share, given);
  }

  return {
    now: clock,
    async reserve(aheadMs) {
      await (begun ??= begin());
      const waitMs = book.earliest(clock()) - clock();
      return waitMs > aheadMs ? { waitMs } : { at: book.reserve(clock(), rate.adaptive ? condition.share : 1), pace };
    },
    async hold(waitMs) {
      book.hold(clock() + waitMs);
    },
    look: () => Promise.resolve(),
    pace,
    get gate() {
      return book.gate;
    },
    get condition() {
      return condition;
    },
    change: async (apply) => apply(condition),
  };
}
