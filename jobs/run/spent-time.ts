// Measures how long a run has been delivering, by a clock that never jumps.

/**
 * The most that two clocks differ over a long time. The ledger decides; this only prevents a decision that is far too
 * early.
 */
const closeEnough = 0.99;

/**
 * The longest time runs can have delivered, by a clock that never jumps. The ledger counts by the time of day, which may
 * jump by years while a run delivers.
 */
export class SpentTime {
  readonly #firstSeen = new Map<string, { spentMs: number; at: number }>();

  /**
   * Whether a run may have reached its deadline.
   * @param run as the ledger has it now; what it had spent when it was first asked about is believed
   * @param now of a clock that never jumps, ms
   */
  mayBeOver({ id, spentMs, deadlineMs }: { id: string; spentMs: number; deadlineMs: number }, now: number): boolean {
    const first = this.#firstSeen.get(id) ?? { spentMs, at: now };
    this.#firstSeen.set(id, first);
    return first.spentMs + (now - first.at) >= closeEnough * deadlineMs;
  }
}
