// The arithmetic of the pace: slots and windows, without a clock.
import { writeDuration } from '../text/format.ts';

/** No more than `limit` calls in any window of `perMs` milliseconds. */
export interface RateWindow {
  limit: number;
  perMs: number;
}

/** The rate of a service: one window whose calls are spread evenly, and any number of further ones. */
export interface Rate extends RateWindow {
  and: RateWindow[];
  adaptive?: boolean;
}

/**
 * How much later than its slot a call may still leave, as a share of the window and at most, in ms.
 * The spacing is stretched by the same amount, so that no window sees more than its limit even when
 * one call leaves late and the next on time.
 */
const slackShare = 0.028;
const slackMost = 50;

/** How late, in ms, a call may leave after its slot before the slot must be given up. */
export function slackOf(rate: Rate): number {
  return Math.min(slackMost, ...[rate, ...rate.and].map(({ perMs }) => perMs * slackShare));
}

/**
 * The time, ms, before the slot at which the last look begins: a commit of the ledger, which a busy disk or a busy session
 * holds up. What a process has begun and not called when it is killed counts as called, so this time is no longer than needed. A
 * look stays good for the longest.
 */
export const lookAhead = { leastMs: 50, mostMs: 250 };

/** The longest time, ms, between the moment the ledger records for a call and its leaving. */
export const leavesWithinMs = 2 * lookAhead.mostMs + slackMost;

/** The time between two slots of the first window, ms. */
export function spacingOf(rate: Rate, slack: number = slackOf(rate)): number {
  return (rate.perMs + slack) / rate.limit;
}

/** Whether one rate lets fewer calls through than another. */
export function isSlower(a: RateWindow, b: RateWindow): boolean {
  return a.limit / a.perMs < b.limit / b.perMs;
}

/** A rate of which the first window can only be lowered; its further ones hold whatever is wanted. */
export function lowerRate(rate: Rate, wanted: RateWindow | undefined): Rate {
  return wanted !== undefined && isSlower(wanted, rate) ? { ...rate, limit: wanted.limit, perMs: wanted.perMs } : rate;
}

/**
 * The arithmetic of the pace, without a clock: times go in and come out, in ms on any one clock.
 *
 * The first window hands out slots `T = (W + J) / N` apart; every window remembers its last `N` slots and lets the
 * next one begin `W + J` after the oldest of them. `J` is the slack. In the first window that binds only after calls
 * that were made before, at another pace.
 */
export class PaceBook {
  readonly #rate: Rate;
  /** The slack of the first window bounds them all: it is what the sleeper keeps to. */
  readonly slack: number;
  #next = -Infinity;
  #gate = -Infinity;
  readonly #logs: { window: RateWindow; slots: number[]; oldest: number }[];

  /** @param calls times of calls made before, oldest first, which still count in their windows */
  constructor(rate: Rate, calls: readonly number[] = []) {
    this.#rate = rate;
    this.slack = slackOf(rate);
    this.#logs = [rate, ...rate.and].map((window) => ({ window, slots: [], oldest: 0 }));
    for (const time of calls) this.#enter(time);
    const last = calls.at(-1);
    if (last !== undefined) this.#next = last + spacingOf(rate, this.slack);
  }

  /** At `now` or later; returns its time. `share` of the first window's limit to use, above 0 and at most 1. */
  reserve(now: number, share = 1): number {
    const slot = this.earliest(now);
    this.#next = slot + spacingOf(this.#rate, this.slack) / share;
    this.#enter(slot);
    return slot;
  }

  earliest(now: number): number {
    const free = this.#logs.map(({ window, slots, oldest }) =>
      slots.length < window.limit ? -Infinity : (slots[oldest] ?? -Infinity) + window.perMs + this.slack,
    );
    return Math.max(now, this.#next, this.#gate, ...free);
  }

  /** Nobody calls before `until`. A later gate is never brought forward. */
  hold(until: number): void {
    this.#gate = Math.max(this.#gate, until);
  }

  /** Nobody waits beyond `until` any more, whatever gate was set before. */
  openAt(until: number): void {
    this.#gate = Math.min(this.#gate, until);
  }

  /** The time before which nobody calls; -Infinity when there is none. */
  get gate(): number {
    return this.#gate;
  }

  #enter(time: number): void {
    for (const log of this.#logs) {
      log.slots[log.oldest] = time;
      log.oldest = (log.oldest + 1) % log.window.limit;
    }
  }
}

/** A rate as a person writes it: `50/s`, with further windows `50/s and 300/5m`. */
export function writeRate({ limit, perMs, and }: Rate): string {
  return [{ limit, perMs }, ...and].map((window) => `${window.limit}/${writeWindow(window.perMs)}`).join(' and ');
}

/** `s` for one second, `5m` for five minutes. */
const writeWindow = (ms: number): string => writeDuration(ms).replace(/^1(?=[hms]$)/, '');

/** The least time, ms, that a number of calls takes at this rate. */
export function timeFor(calls: number, rate: Rate): number {
  return Math.max(0, ...[rate, ...rate.and].map(({ limit, perMs }) => ((calls - 1) * perMs) / limit));
}
