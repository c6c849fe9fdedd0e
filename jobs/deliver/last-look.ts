// Checks in the ledger, just before a call, that the delivery is still wanted; batches these checks.
import type { Delivering } from './delivering.ts';

/** The oldest that a last look may be when the request is written, ms: longer than one takes, too short to notice. */
const freshMs = 50;

/** Whether the delivery is still ours and its run still delivers. From then on the call counts as in flight. */
export class LastLook {
  readonly #ledger: Delivering['ledger'];
  readonly #id: number;
  #at = -Infinity;
  /** The number of the call; undefined while it must not be made. */
  call: number | undefined;

  constructor(ledger: Delivering['ledger'], id: number) {
    this.#ledger = ledger;
    this.#id = id;
  }

  /** Looks, unless the last look is still fresh. Returns whether the call may be made. */
  async take(): Promise<boolean> {
    if (this.call !== undefined && performance.now() - this.#at <= freshMs) return true;
    this.#at = performance.now();
    this.call = await this.#ledger.begin(this.#id);
    return this.call !== undefined;
  }
}
