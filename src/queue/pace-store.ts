// The interface of a pace store, and the one that keeps the pace in this process.
import { randomUUID } from 'node:crypto';
import { Condition } from '../core/pace/service-health.ts';
import { tempo, type Tempo } from '../core/pace/waiting-times.ts';
import { longestThrottle, type Throttle } from '../core/call/throttle.ts';
import { leavesWithinMs, PaceBook, type Rate } from '../core/pace/pacing.ts';

/** A slot at a time on the store's clock, of the pace of this name; or the time until one. */
export type Reservation = { at: number; pace: string } | { waitMs: number };

/** Where the pace of a service and its condition are kept: in this process, or in Redis for all. Times are ms. */
export interface PaceStore {
  /** The store's clock. */
  now(): number;
  /** Takes the next free slot, unless it is more than `aheadMs` away. */
  reserve(aheadMs: number): Promise<Reservation>;
  /**
   * Nobody calls for the given time from now, a day at most; a longer hold stays. This process knows at once, the others with
   * their next look.
   */
  hold(waitMs: number, reason?: string): Promise<void>;
  /** Ends a hold, for everybody. */
  open(): Promise<void>;
  /** Makes sure that what is known about gate, condition and the pace's name is fresh: to be asked before a call. */
  look(): Promise<void>;
  /** The pace's name, as far as known: it has another one after it was lost, and the slots from before are void. */
  readonly pace: string;
  /** The time before which nobody calls, as far as known. */
  readonly gate: number;
  /** Why nobody calls before that, as far as known; '' where nobody said. */
  readonly why: string;
  /** The condition, as far as known; not to be changed. */
  readonly condition: Condition;
  /** Changes the condition, for everybody. */
  change<Result>(apply: (condition: Condition) => Result): Promise<Result>;
}

/** What is known about a service from before: asked when a pace begins, and when Redis has lost it. */
export interface PaceBeginning {
  /** The ages, ms, of the calls that still count in a window, the oldest first. */
  callsAgo: readonly number[];
  /** The share of the rate that the service bore when it was last called. */
  share: number;
  /** That the service has asked not to be called; absent when it has not. */
  throttle?: Throttle | undefined;
}

/** Where the throttles of a service are remembered, in addition to the pace: the ledger. */
export interface ThrottleMemory {
  keep(throttle: Throttle): Promise<void>;
  read(): Promise<Throttle | undefined>;
}

/** The condition of a service about which only its pace is known. */
export function conditionWithShare(share: number, given: Tempo): Condition {
  const { state } = new Condition();
  return new Condition({ ...state, adaptive: { ...state.adaptive, share } }, given);
}

/** Between two checks at what is remembered about a throttle, ms: while it lasts somebody may end it, or the machine sleeps. */
const rememberedForMs = 500;

/**
 * A pace in this process alone. `clock` is monotonic, ms. A throttle ends by this clock, or when the memory, which goes by
 * the clock on the wall, has forgotten it: whichever comes first.
 */
export function createLocalStore(
  rate: Rate,
  beginning: () => Promise<PaceBeginning>,
  given: Tempo = tempo,
  { clock = () => performance.now(), throttles }: { clock?: () => number; throttles?: ThrottleMemory | undefined } = {},
): PaceStore {
  let book = new PaceBook(rate);
  let why = '';
  let readAt = -Infinity;
  /** The end of a hold that is not in the memory yet, or could not be written there. */
  let unwrittenUntil = -Infinity;
  let condition = new Condition(undefined, given);
  let begun: Promise<void> | undefined;
  const pace = randomUUID();

  async function begin(): Promise<void> {
    const { callsAgo, share, throttle } = await beginning();
    const now = clock();
    const gate = Math.max(book.gate, throttle ? now + Math.min(throttle.forMs, longestThrottle) : -Infinity);
    why = throttle?.reason ?? why;
    book = new PaceBook(
      rate,
      callsAgo.map((ago) => now - Math.max(0, ago - leavesWithinMs)),
    );
    book.hold(gate);
    condition = conditionWithShare(share, given);
  }

  /** A beginning that failed is tried again by whoever asks next. */
  const beginOnce = (): Promise<void> =>
    (begun ??= begin().catch((error: unknown) => {
      begun = undefined;
      throw error;
    }));

  async function look(): Promise<void> {
    await beginOnce();
    const now = clock();
    if (throttles === undefined || book.gate <= now || unwrittenUntil > now || now - readAt < rememberedForMs) return;
    readAt = now;
    const left = await throttles.read();
    if (unwrittenUntil <= clock()) book.openAt(left === undefined ? -Infinity : clock() + left.forMs);
  }

  return {
    now: clock,
    async reserve(aheadMs) {
      await beginOnce();
      const waitMs = book.earliest(clock()) - clock();
      return waitMs > aheadMs ? { waitMs } : { at: book.reserve(clock(), rate.adaptive ? condition.share : 1), pace };
    },
    async hold(waitMs, reason = '') {
      const until = clock() + Math.min(waitMs, longestThrottle);
      if (until <= book.gate) return;
      book.hold(until);
      why = reason;
      unwrittenUntil = until;
      await throttles?.keep({ forMs: waitMs, reason });
      if (unwrittenUntil === until) unwrittenUntil = -Infinity;
    },
    open: async () => book.openAt(-Infinity),
    look,
    pace,
    get gate() {
      return book.gate;
    },
    get why() {
      return why;
    },
    get condition() {
      return condition;
    },
    change: async (apply) => apply(condition),
  };
}
