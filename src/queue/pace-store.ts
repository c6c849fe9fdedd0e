import { Condition, type ConditionState } from '../core/condition.ts';
import { PaceBook, type Rate } from '../core/pacing.ts';

/** A slot at a time on the store's clock, or how long it would be until one. */
export type Reservation = { at: number } | { waitMs: number };

/** Where the pace of a service and its condition are kept: in this process, or in Redis for all. Times are ms. */
export interface PaceStore {
  /** The store's clock. */
  now(): number;
  /** Takes the next free slot, unless it is more than `aheadMs` away. */
  reserve(aheadMs: number): Promise<Reservation>;
  /** Nobody calls for so long from now; a longer hold stays. */
  hold(waitMs: number): Promise<void>;
  /** The time before which nobody calls, as far as known. */
  readonly gate: number;
  /** The condition, as far as known; not to be changed. */
  readonly condition: Condition;
  /** Changes the condition, for everybody. */
  change<Result>(apply: (condition: Condition) => Result): Promise<Result>;
}

/** What is known of a service from before: asked when a pace begins, and when Redis has lost it. */
export interface PaceBeginning {
  /** How long ago, ms, calls were made that still count in a window, the longest ago first. */
  callsAgo: readonly number[];
  /** The share of the rate that the service bore when it was last called. */
  share: number;
}

/** The condition of a service about which only its pace is known. */
export function conditionWithShare(share: number): Condition {
  const { state } = new Condition();
  return new Condition({ ...state, adaptive: { ...state.adaptive, share } });
}

/** A pace in this process alone. `clock` is monotonic, ms. */
export function createLocalStore(
  rate: Rate,
  beginning: () => Promise<PaceBeginning>,
  clock: () => number = () => performance.now(),
): PaceStore {
  let book = new PaceBook(rate);
  let condition = new Condition();
  let begun: Promise<void> | undefined;

  async function begin(): Promise<void> {
    const { callsAgo, share } = await beginning();
    const now = clock();
    book = new PaceBook(
      rate,
      callsAgo.map((ago) => now - ago),
    );
    condition = conditionWithShare(share);
  }

  return {
    now: clock,
    async reserve(aheadMs) {
      await (begun ??= begin());
      const waitMs = book.earliest(clock()) - clock();
      return waitMs > aheadMs ? { waitMs } : { at: book.reserve(clock(), rate.adaptive ? condition.share : 1) };
    },
    async hold(waitMs) {
      book.hold(clock() + waitMs);
    },
    get gate() {
      return book.gate;
    },
    get condition() {
      return condition;
    },
    change: async (apply) => apply(condition),
  };
}

/** Reads a condition as it was stored; anything else is no condition. */
export function readCondition(json: string): ConditionState | undefined {
  return json === '' ? undefined : (JSON.parse(json) as ConditionState);
}
