// The breaker: opens in an outage, and sends probes.
import type { AnswerKind } from '../call/answer.ts';
import { tempo, type Tempo } from './waiting-times.ts';

const outageKinds: ReadonlySet<AnswerKind> = new Set(['broken', 'not-sent', 'may-have-happened']);
const opensAfter = 5;
const differentPeople = 3;

/** What a breaker remembers, as plain JSON, so that processes can share it. Times are ms on the clock they share. */
export interface BreakerState {
  inARow: number;
  /** The deliveries of those answers, a few of them. */
  deliveries: number[];
  /** The time of the first throttle since the service last answered otherwise; 0 if there was none. */
  throttledSince: number;
  /** 0 while closed; else the time between two probes. */
  interval: number;
  probeAt: number;
  /** The time until which to wait for a probe that is under way. */
  probingUntil: number;
}

/** May a call be made now? `pass`, as the probe of an outage or as any call; or not before `at`, in ms on the caller's clock. */
export type Permission = { pass: true; probe: boolean } | { pass: false; at: number };

/**
 * The breaker (R5): five answers in a row that speak of an outage open it: connect errors, or broken
 * answers for at least three deliveries (a single person whom the service chokes on is no outage). So does
 * a service that throttles for over a minute and never says for how long, or says less than that. While it
 * is open one call a minute probes, then one every two, four … fifteen minutes; the first answer of another
 * kind closes it.
 */
export class Breaker {
  readonly #state: BreakerState;
  readonly #tempo: Tempo;

  constructor(
    state: BreakerState = { inARow: 0, deliveries: [], throttledSince: 0, interval: 0, probeAt: 0, probingUntil: 0 },
    given: Tempo = tempo,
  ) {
    this.#tempo = given;
    this.#state = { ...state, deliveries: [...state.deliveries] };
  }

  get state(): BreakerState {
    return this.#state;
  }

  get open(): boolean {
    return this.#state.interval > 0;
  }

  get probeAt(): number {
    return this.#state.probeAt;
  }

  /** Asks to make a call at `now`. While open, one caller at a time passes, as the probe. */
  ask(now: number): Permission {
    const state = this.#state;
    if (!this.open) return { pass: true, probe: false };
    if (now < state.probeAt) return { pass: false, at: state.probeAt };
    if (now < state.probingUntil) return { pass: false, at: now + 1000 };
    state.probingUntil = now + this.#tempo.longestProbeMs;
    return { pass: true, probe: true };
  }

  withdraw(): void {
    this.#state.probingUntil = 0;
  }

  /** Whether an answer of this kind would change anything. */
  minds(kind: AnswerKind): boolean {
    return outageKinds.has(kind) || this.#state.inARow > 0 || this.#state.throttledSince > 0 || this.open;
  }

  /**
   * Tells how a call for a delivery ended; `waitMs` is what a throttle named. Returns whether the breaker has just opened or
   * closed.
   */
  tell(kind: AnswerKind, delivery: number, now: number, waitMs = 0): 'opened' | 'closed' | undefined {
    const state = this.#state;
    const wasOpen = this.open;
    if (kind === 'throttled' && waitMs < this.#tempo.firstProbeMs) {
      Object.assign(state, { inARow: 0, deliveries: [], throttledSince: state.throttledSince || now });
    } else if (outageKinds.has(kind)) {
      state.inARow += 1;
      if (state.deliveries.length < differentPeople && !state.deliveries.includes(delivery))
        state.deliveries.push(delivery);
    } else {
      Object.assign(state, { inARow: 0, deliveries: [], throttledSince: 0, interval: 0, probingUntil: 0 });
      return wasOpen ? 'closed' : undefined;
    }
    if (wasOpen && now >= state.probingUntil) return undefined;
    if (!wasOpen && !this.#isOutage(kind, now)) return undefined;
    state.interval = wasOpen ? Math.min(this.#tempo.lastProbeMs, state.interval * 2) : this.#tempo.firstProbeMs;
    state.probeAt = now + state.interval;
    state.probingUntil = 0;
    return wasOpen ? undefined : 'opened';
  }

  #isOutage(kind: AnswerKind, now: number): boolean {
    const { inARow, deliveries, throttledSince } = this.#state;
    if (kind === 'throttled') return now - throttledSince > this.#tempo.firstProbeMs;
    return inARow >= opensAfter && (kind === 'not-sent' || deliveries.length >= differentPeople);
  }
}
