// Searches for the pace of a service whose limit is not known.
import type { AnswerKind } from '../call/answer.ts';

export interface AdaptiveState {
  /** The share of the configured limit that is used, from `leastShare` to 1. */
  share: number;
  changedAt: number;
  /** Of the recent ones since then: calls that went well, and calls that ended in an error. */
  good: number;
  bad: number;
}

/** The lowest share of the configured rate: fewer calls do not help a service that allows even less. */
const leastShare = 1 / 64;
/** Calls that were on their way when the pace was lowered say nothing about the lower one: ms to wait for them. */
const settleMs = 2000;
/** The pace rises by this share of the limit … */
const step = 0.1;
/** … after this number of calls that went well, and this time, ms, without a change. */
const goodCalls = 20;
const calmMs = 10_000;
/** Errors are rising if they are this share of at least this number of calls. */
const badShare = 0.2;
const badCalls = 5;
/** The calls that are counted: beyond this number older ones count half, again and again, or a long calm would hide an error share that rises. */
const recentCalls = 100;

/** Halves it on rising errors, or a throttle without a wait; raises it in steps; never above the configured limit. */
export class Adaptive {
  readonly #state: AdaptiveState;

  constructor(state: AdaptiveState = { share: 1, changedAt: 0, good: 0, bad: 0 }) {
    this.#state = { ...state };
  }

  get state(): AdaptiveState {
    return this.#state;
  }

  get share(): number {
    return this.#state.share;
  }

  /** Tells how `times` calls ended. `named` says that a throttle came with the wait the service wants. */
  tell(kind: AnswerKind, now: number, { named = false, times = 1 } = {}): void {
    const state = this.#state;
    if (kind === 'accepted') state.good += times;
    if (kind === 'broken' || kind === 'may-have-happened') state.bad += times;
    for (; state.good + state.bad > recentCalls; state.good /= 2, state.bad /= 2);
    const settled = now - state.changedAt >= settleMs;
    const errorsRise = state.bad >= badCalls && state.bad >= badShare * (state.good + state.bad);
    if (settled && ((kind === 'throttled' && !named) || errorsRise)) {
      this.#change(Math.max(leastShare, state.share / 2), now);
    } else if (state.share < 1 && state.good >= goodCalls && now - state.changedAt >= calmMs && !errorsRise) {
      this.#change(Math.min(1, state.share + step), now);
    }
  }

  #change(share: number, now: number): void {
    Object.assign(this.#state, { share, changedAt: now, good: 0, bad: 0 });
  }
}
