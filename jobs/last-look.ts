import type { Delivering } from './delivering.ts';

/** A last look may be so old, ms, when the request is written: longer than one takes, far shorter than a person notices. */
const freshMs = 50;

/**
 * The last look before a call: whether the delivery is still ours and its run still delivers. From then on the call
 * counts as in flight.
 */
export class LastLook {
  readonly #ledger: Delivering['ledger'];
  readonly #id: number;
  #at = -Infinity;
  /** The number of the call; undefined while it must not be made. */
  call: number | undefined;

  /** `begun`: the call that was begun when the delivery was claimed, and since when, on the monotonic clock, ms. */
  constructor(ledger: Delivering['ledger'], id: number, begun?: { call: number; at: number }) {
    this.#ledger = ledger;
    this.#id = id;
    if (!begun) return;
    this.#at = begun.at;
    this.call = begun.call;
  }

  /** Looks, unless the last look is still fresh. Returns whether the call may be made. */
  async take(): Promise<boolean> {
    if (this.call !== undefined && performance.now() - this.#at <= freshMs) return true;
    this.#at = performance.now();
    this.call = await this.#ledger.begin(this.#id);
    return this.call !== undefined;
  }
}
