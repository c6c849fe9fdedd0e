import type { AnswerKind } from './answer.ts';

const outageKinds: ReadonlySet<AnswerKind> = new Set(['broken', 'not-sent', 'may-have-happened']);
const opensAfter = 5;
const differentPeople = 3;
const firstProbe = 60_000;
const lastProbe = 15 * 60_000;

/** May a call be made now? `pass`, as the probe of an outage or as any call; or not before `at`, in ms on the caller's clock. */
export type Permission = { pass: true; probe: boolean } | { pass: false; at: number };

/**
 * The breaker (R5): five answers in a row that speak of an outage open it: connect errors, or broken
 * answers for at least three deliveries (a single person whom the service chokes on is no outage). While
 * it is open one call a minute probes, then one every two, four … fifteen minutes; the first answer of
 * another kind closes it.
 */
export class Breaker {
  #inARow = 0;
  readonly #deliveries = new Set<number>();
  #probeAt = -Infinity;
  #interval = 0;
  #probing = false;

  get open(): boolean {
    return this.#interval > 0;
  }

  /** The time of the next probe while open. */
  get probeAt(): number {
    return this.#probeAt;
  }

  /** Asks to make a call at `now`. While open, one caller at a time passes, as the probe. */
  ask(now: number): Permission {
    if (!this.open) return { pass: true, probe: false };
    if (now < this.#probeAt) return { pass: false, at: this.#probeAt };
    if (this.#probing) return { pass: false, at: now + 1000 };
    this.#probing = true;
    return { pass: true, probe: true };
  }

  /** The caller that passed as the probe did not call after all. */
  withdraw(): void {
    this.#probing = false;
  }

  /** Tells how a call for a delivery ended. Returns whether the breaker has just opened or closed. */
  tell(kind: AnswerKind, delivery: number, now: number): 'opened' | 'closed' | undefined {
    const wasOpen = this.open;
    if (!outageKinds.has(kind)) {
      this.#inARow = 0;
      this.#deliveries.clear();
      this.#interval = 0;
      this.#probing = false;
      return wasOpen ? 'closed' : undefined;
    }
    this.#inARow += 1;
    this.#deliveries.add(delivery);
    if (wasOpen && !this.#probing) return undefined;
    if (!wasOpen && !this.#isOutage(kind)) return undefined;
    this.#interval = wasOpen ? Math.min(lastProbe, this.#interval * 2) : firstProbe;
    this.#probeAt = now + this.#interval;
    this.#probing = false;
    return wasOpen ? undefined : 'opened';
  }

  #isOutage(kind: AnswerKind): boolean {
    return this.#inARow >= opensAfter && (kind === 'not-sent' || this.#deliveries.size >= differentPeople);
  }
}
