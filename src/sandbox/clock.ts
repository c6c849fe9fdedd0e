// The sandbox's clock, which can be moved forward.

/** The sandbox's own time, in epoch milliseconds: it runs with the given clock and can be moved forward, never back. */
export class Clock {
  readonly #base: () => number;
  #moved = 0;
  constructor(base: () => number = Date.now) {
    this.#base = base;
  }
  now(): number {
    return this.#base() + this.#moved;
  }
  /** Moves the time forward by a number of milliseconds; throws `RangeError` for anything but a number of at least 0. */
  advance(milliseconds: number): void {
    if (!Number.isFinite(milliseconds) || milliseconds < 0) {
      throw new RangeError(`the sandbox's clock moves forward by milliseconds, not by ${milliseconds}`);
    }
    this.#moved += milliseconds;
  }
}
