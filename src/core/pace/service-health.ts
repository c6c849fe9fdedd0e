// Combines gate, breaker and adaptive pace into the condition of a service.
import { Adaptive, type AdaptiveState } from './adaptive.ts';
import type { AnswerKind } from '../call/answer.ts';
import { tempo, type Tempo } from './waiting-times.ts';
import { Breaker, type BreakerState, type Permission } from './breaker.ts';

export interface ConditionState {
  breaker: BreakerState;
  adaptive: AdaptiveState;
  /** Throttles in a row that named no wait. */
  throttles: number;
}

export interface Consequence {
  breaker?: 'opened' | 'closed';
  /** The time, ms, for which nobody may call. */
  holdMs?: number;
}

const firstThrottle = 1000;
const longestThrottle = 60_000;

export class Condition {
  readonly #breaker: Breaker;
  readonly #adaptive: Adaptive;
  #throttles: number;

  constructor(state?: ConditionState, given: Tempo = tempo) {
    this.#breaker = new Breaker(state?.breaker, given);
    this.#adaptive = new Adaptive(state?.adaptive);
    this.#throttles = state?.throttles ?? 0;
  }

  get state(): ConditionState {
    return { breaker: this.#breaker.state, adaptive: this.#adaptive.state, throttles: this.#throttles };
  }

  get outage(): boolean {
    return this.#breaker.open;
  }

  /** When the next call may probe, while there is an outage. */
  get probeAt(): number {
    return this.#breaker.probeAt;
  }

  get share(): number {
    return this.#adaptive.share;
  }

  ask(now: number): Permission {
    return this.#breaker.ask(now);
  }

  withdraw(): void {
    this.#breaker.withdraw();
  }

  /** Whether `times` accepted calls may be told later, together with others. */
  get canWait(): boolean {
    return !this.#breaker.minds('accepted') && this.#throttles === 0;
  }

  /** `times`: accepted ones told together. A throttle makes everyone wait as long as it says, else 1 s, 2 s … 1 min. */
  tell(
    kind: AnswerKind,
    now: number,
    { delivery = 0, waitMs, times = 1 }: { delivery?: number; waitMs?: number; times?: number },
  ): Consequence {
    this.#adaptive.tell(kind, now, { named: waitMs !== undefined, times });
    const breaker = this.#breaker.tell(kind, delivery, now, waitMs);
    const consequence: Consequence = breaker === undefined ? {} : { breaker };
    if (kind === 'accepted') this.#throttles = 0;
    if (kind !== 'throttled') return consequence;
    const holdMs = waitMs ?? Math.min(longestThrottle, firstThrottle * 2 ** this.#throttles);
    if (waitMs === undefined) this.#throttles += 1;
    return { ...consequence, holdMs };
  }
}
