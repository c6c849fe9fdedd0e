// Measures how long a run has been delivering, by a clock that never jumps.

/** The most that two clocks differ over a long time. The ledger decides; this prevents a far too early decision. */
const closeEnough = 0.99;

/** The longest time runs can have delivered, by a clock that never jumps; the ledger's time of day may, by years. */
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
