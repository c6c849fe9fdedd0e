import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerKind } from '../core/answer.ts';
import { Breaker } from '../core/breaker.ts';
import { PaceBook, type Rate } from '../core/pacing.ts';

/** A place in the pace: call now, or come back after `waitMs` (0 when the call was no longer wanted). */
export type Slot = { go: true } | { go: false; waitMs: number };

/** The one pace of a service in this process (R4), with the breaker (R5). Times are ms on the monotonic clock. */
export interface Pacer {
  /**
   * Waits for a slot, looks once more whether the call is still wanted just before it, and resolves on time.
   * A wait of over 30 s is refused, so that the delivery goes back to the ledger instead of sleeping.
   * @param wanted the last look; it may be asked several times
   */
  slot(wanted: () => Promise<boolean>): Promise<Slot>;
  /**
   * Tells how a call ended. A throttle makes everyone wait: as long as the service said, else a second, two,
   * four … up to a minute. Returns what happened to the breaker.
   */
  tell(kind: AnswerKind, delivery: number, waitMs?: number): 'opened' | 'closed' | undefined;
  /** True while an outage lasts. */
  readonly outage: boolean;
  /** How long, in ms, nobody may call; 0 when the pace alone decides. */
  heldFor(): number;
}

const longestSleep = 30_000;
/** The last look is a round trip to the ledger: it begins so many ms before the slot. */
const lookAhead = 25;
const firstThrottle = 1000;
const longestThrottle = 60_000;

/**
 * @param callsAgo how long ago, in ms, calls were made that still count in a window, the longest ago first
 * @param now the monotonic clock
 */
export function createPacer(
  rate: Rate,
  callsAgo: readonly number[] = [],
  now: () => number = () => performance.now(),
): Pacer {
  const start = now();
  const book = new PaceBook(
    rate,
    callsAgo.map((ago) => start - ago),
  );
  const breaker = new Breaker();
  let throttles = 0;

  async function until(time: number): Promise<void> {
    for (let left = time - now(); left > 0; left = time - now()) await sleep(Math.ceil(left));
  }

  async function slot(wanted: () => Promise<boolean>): Promise<Slot> {
    const permission = breaker.ask(now());
    if (!permission.pass) return { go: false, waitMs: permission.at - now() };
    const refuse = (waitMs: number): Slot => {
      if (permission.probe) breaker.withdraw();
      return { go: false, waitMs };
    };
    for (;;) {
      const wait = book.earliest(now()) - now();
      if (wait > longestSleep) return refuse(wait);
      const at = book.reserve(now());
      await until(at - lookAhead);
      if (breaker.open && !permission.probe) return refuse(breaker.probeAt - now());
      if (!(await wanted())) return refuse(0);
      await until(at);
      // A slot that was overslept is lost; so is one in front of which a gate was shut meanwhile.
      if (now() <= at + book.slack && book.gate <= at) return { go: true };
    }
  }

  return {
    slot,
    tell(kind, delivery, waitMs) {
      if (kind === 'throttled') {
        book.hold(now() + (waitMs ?? Math.min(longestThrottle, firstThrottle * 2 ** throttles)));
        throttles += 1;
      } else if (kind === 'accepted') {
        throttles = 0;
      }
      return breaker.tell(kind, delivery, now());
    },
    get outage() {
      return breaker.open;
    },
    heldFor() {
      const until = Math.max(book.gate, breaker.open ? breaker.probeAt : -Infinity);
      return Math.max(0, until - now());
    },
  };
}
