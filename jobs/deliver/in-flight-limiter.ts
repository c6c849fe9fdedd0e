// Limits how many deliveries a process holds, and how many of them call at once.
import { Permits, type Release } from '../../src/core/pace/permits.ts';

/** A slot of the pace within this time, ms, does not count as a wait. */
const atOnceMs = 25;

/** The right to make a call now. */
export interface CallPermit {
  /** The answer has arrived: another delivery may call. */
  answered: Release;
  /** The receipt is written, or there was no call after all. */
  leave: Release;
}

/**
 * Limits the deliveries that a process works on. While some are called, others are being claimed and recorded, so
 * that the service waits for the ledger no more than it must. With one call at a time there is one job at a time.
 */
export class InFlightLimiter {
  /** Jobs to take from the queue at a time. */
  readonly jobs: number;
  /** The number whose request has been sent. */
  readonly #calls: Permits;
  /** In flight from the last look until the receipt is written. If the process dies, at most these are repeated. */
  readonly #begun: Permits;
  #flows = false;
  readonly #clock: () => number;

  /**
   * @param concurrency calls in flight at most
   * @param clock monotonic, ms
   */
  constructor(concurrency: number, clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.jobs = 2 * concurrency - 1;
    this.#calls = new Permits(concurrency);
    this.#begun = new Permits(concurrency + Math.floor(concurrency / 2));
  }

  /** Waits until a call may be made. If the pace has no waits, it looks while others still call. Undefined: no call. */
  async enter(look: () => Promise<boolean>): Promise<CallPermit | undefined> {
    const leave = await this.#begun.take();
    if (leave === undefined) return undefined;
    let answered: Release | undefined;
    try {
      if (!this.#flows || (await look())) answered = await this.#calls.take();
    } finally {
      if (answered === undefined) leave();
    }
    return answered && { answered, leave: () => [answered, leave].forEach((release) => release()) };
  }

  /** Measures the wait for a slot of the pace, until the last look. */
  timed(look: () => Promise<boolean>): () => Promise<boolean> {
    const began = this.#clock();
    return () => {
      this.#flows = this.#clock() - began < atOnceMs;
      return look();
    };
  }

  /** Turns away everything that still waits. */
  close(): void {
    this.#begun.refuse();
    this.#calls.refuse();
  }
}
