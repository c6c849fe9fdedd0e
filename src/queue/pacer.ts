// Gives out slots of the pace, applies the breaker, and sleeps until a slot.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerKind } from '../core/call/answer.ts';
import type { Throttle } from '../core/call/throttle.ts';
import { defined } from '../core/defined.ts';
import type { Condition, Consequence } from '../core/pace/service-health.ts';
import { isSlower, lookAhead, type Rate, slackOf, spacingOf, writeRate } from '../core/pace/pacing.ts';
import { beforeAbort } from '../core/before-abort.ts';
import type { Trouble } from '../process/trouble.ts';
import type { PaceStore, Reservation } from './pace-store.ts';

/**
 * A place in the pace: call now, and not after `until` (of `performance.now()`); or come back after `waitMs` (0 when the
 * call was no longer wanted).
 */
export type Slot = { go: true; until: number } | { go: false; waitMs: number };

/** A run, and the rate that was chosen for it, if any was. */
export interface PacedRun {
  id: string;
  rate?: Rate;
}

export interface PacerOptions {
  /** Where the pace of the service is kept, */
  store: PaceStore;
  /** and its rate. */
  rate: Rate;
  /** Where the pace of a run is kept that is slower than the service's. */
  storeOf(run: Required<PacedRun>): PaceStore;
  /** Called when the share of the rate that the service bears has changed. */
  onShare(share: number): void;
  /** Told when the pace could not be asked: Redis may be loading, read-only or full for a while. */
  trouble: Trouble;
  /** Makes a connection to the service, for a call that comes a while after the last one. Never rejects. */
  connect?: () => Promise<void>;
}

/**
 * What a service closes may be a connection that was idle for this many ms, or longer. To make another one takes longer than a slot lasts:
 * it is made before the slot.
 */
const idleMs = 1000;
/** The time, ms, by which a connection is there earlier than it took to make the last one; one that nobody uses is closed after 3 s. */
const spareMs = 250;
const longestAheadMs = 2500;

const longestSleep = 30_000;
/** The wait, ms, after trouble with the pace. */
const troubleMs = 1000;
/**
 * The part of the slack by which a call may leave late. The rest is for its way to the service, which takes now longer, now
 * shorter: of a second 18 ms, since with 10 ms a service on a busy machine saw 81 calls of 80.
 */
const ownShareOfSlack = 0.35;
/** The number of accepted calls told together, so that a calm service costs no writes. */
const toldTogether = 20;

/** The one pace of a service (R4), with its breaker (R5). */
export type Pacer = ReturnType<typeof createPacer>;

export function createPacer({ store, rate, storeOf, onShare, trouble, connect }: PacerOptions) {
  const lateness = slackOf(rate) * ownShareOfSlack;
  const runs = new Map<string, PaceStore>();
  let accepted = 0;
  let lookMs = lookAhead.leastMs;
  let lastAt = -Infinity;
  let connectMs = 2 * spareMs;

  /** The slower pace of a run, if it has one; whoever continues a run may name another rate. */
  function ownOf({ id, rate: own }: PacedRun): OwnPace | undefined {
    if (own === undefined || !isSlower(own, rate)) return undefined;
    const key = `${id} ${writeRate(own)}`;
    const kept = runs.get(key) ?? storeOf({ id, rate: own });
    runs.set(key, kept);
    return { store: kept, rate: own };
  }

  async function ask(): Promise<ReturnType<Condition['ask']>> {
    if (!store.condition.outage) return { pass: true, probe: false };
    return store.change((condition) => condition.ask(store.now()));
  }

  /** The last look begins as long before a slot as such looks took lately. */
  async function timed(wanted: () => Promise<boolean>): Promise<boolean> {
    const askedAt = performance.now();
    const isWanted = await wanted();
    const tookMs = performance.now() - askedAt;
    lookMs = Math.min(lookAhead.mostMs, Math.max(lookAhead.leastMs, tookMs * 1.25, lookMs * 0.997));
    return isWanted;
  }

  /** Has a connection made just before a slot that comes a while after the one before it. */
  async function connectFor(at: number, signal: AbortSignal): Promise<void> {
    const isIdle = Math.abs(at - lastAt) > idleMs;
    lastAt = at;
    if (connect === undefined || !isIdle) return;
    await untilOn(store, at - connectMs - spareMs, signal);
    if (signal.aborted) return;
    const began = performance.now();
    await unlessAborted(connect(), signal);
    connectMs = Math.min(longestAheadMs, performance.now() - began);
    // A slot that was overslept meanwhile is followed by one that is free now.
    lastAt = Math.max(lastAt, store.now());
  }

  /**
   * Waits for a slot, looks again whether the call is still wanted just before it, and resolves on time.
   * A wait of over 30 s is refused, so that the delivery goes back to the ledger instead of sleeping.
   * @param run a run with a slower pace of its own keeps that one too
   * @param wanted the last look; it may be asked several times
   * @param signal ends the wait: then the call is no longer wanted
   */
  async function slot(run: PacedRun, wanted: () => Promise<boolean>, signal: AbortSignal): Promise<Slot> {
    const own = ownOf(run);
    const ownSlot = own && (await slotOf(own.store, signal));
    if (ownSlot && 'waitMs' in ownSlot) return { go: false, waitMs: ownSlot.waitMs };
    const permission = await ask();
    if (!permission.pass) return { go: false, waitMs: Math.max(1, permission.at - store.now()) };
    const refuse = async (waitMs: number): Promise<Slot> => {
      if (permission.probe) await store.change((condition) => condition.withdraw());
      return { go: false, waitMs };
    };
    for (let isFirst = true; ; isFirst = false) {
      const reservation = await unlessAborted(store.reserve(longestSleep), signal);
      if (reservation === undefined) return refuse(0);
      // Whoever comes back in time waits here, and has a connection made before the slot.
      if ('waitMs' in reservation) return refuse(Math.max(1, reservation.waitMs - longestSleep / 2));
      const { at, pace } = reservation;
      if (own && ownSlot) {
        const leavesIn = at - store.now();
        // After a slot that was lost, the run's pace waits for this very call.
        const early = own.store.gate - own.store.now();
        if (isFirst && early > Math.max(0, leavesIn)) return refuse(early);
        await unlessAborted(moveOn(own, ownSlot.at, leavesIn), signal);
      }
      await connectFor(at, signal);
      await untilOn(store, at - lookMs, signal);
      await unlessAborted(store.look(), signal);
      const { outage, probeAt } = store.condition;
      if (outage && !permission.probe) return refuse(Math.max(1, probeAt - store.now()));
      if (signal.aborted || !(await timed(wanted))) return refuse(0);
      await unlessAborted(store.look(), signal);
      await untilOn(store, at, signal);
      if (signal.aborted) return refuse(0);
      // A slot that was overslept is lost; so is one in front of which a gate was shut or an outage began
      // meanwhile, or whose pace was lost.
      const left = at + lateness - store.now();
      const isOpen = store.gate <= at && store.pace === pace && (permission.probe || !store.condition.outage);
      if (left >= 0 && isOpen) return { go: true, until: performance.now() + left };
    }
  }

  type Told = [kind: AnswerKind, delivery: number, waitMs?: number, reason?: string];
  async function tell(...[kind, delivery, waitMs, reason]: Told): Promise<Consequence['breaker']> {
    if (kind === 'accepted') {
      accepted += 1;
      if (store.condition.canWait && (accepted < toldTogether || store.condition.share === 1)) return undefined;
    }
    const times = kind === 'accepted' ? accepted : 1;
    if (kind === 'accepted') accepted = 0;
    const before = store.condition.share;
    // What the service named holds for everybody at once, before anything else is written.
    const [{ breaker, holdMs }] = await Promise.all([
      store.change((condition) => condition.tell(kind, store.now(), { delivery, times, ...defined({ waitMs }) })),
      waitMs === undefined ? undefined : store.hold(waitMs, reason),
    ]);
    if (rate.adaptive && store.condition.share !== before) onShare(store.condition.share);
    if (waitMs === undefined && holdMs !== undefined) await store.hold(holdMs, reason);
    return breaker;
  }

  return {
    /** As above; while the pace cannot be asked, nothing goes. */
    slot: (...asked: Parameters<typeof slot>): Promise<Slot> =>
      slot(...asked).catch((error: unknown) => {
        trouble('could not get a slot of the pace', error);
        return { go: false, waitMs: troubleMs };
      }),
    /** Tells how a call ended; `waitMs` is what a throttle named, `reason` its words. Returns what happened to the breaker. */
    tell: (...told: Told) =>
      tell(...told).catch((error: unknown) => {
        trouble('could not tell the pace about an answer', error);
        return undefined;
      }),
    /** Tells that a call was too late for its slot: if it was to probe an outage, the next one does. */
    late: () =>
      (store.condition.outage ? store.change((condition) => condition.withdraw()) : Promise.resolve()).catch(
        (error: unknown) => trouble('could not tell the pace about a call', error),
      ),
    /** True while an outage lasts. */
    get outage(): boolean {
      return store.condition.outage;
    },
    /** The time, ms, for which no calls may be made; 0 when the pace alone decides. */
    async gateClosedFor(): Promise<number> {
      await store.look();
      const { outage, probeAt } = store.condition;
      return Math.max(0, Math.max(store.gate, outage ? probeAt : -Infinity) - store.now());
    },
    /** That the service has asked not to be called, if that still lasts. */
    async throttle(): Promise<Throttle | undefined> {
      await store.look();
      const forMs = store.gate - store.now();
      return forMs > 0 ? { forMs, reason: store.why } : undefined;
    },
    /** Calls the service although it asked not to be called. */
    callNow: () => store.open(),
    /** The share of the configured rate that the service bears just now. */
    get share(): number {
      return rate.adaptive ? store.condition.share : 1;
    },
    /** The most calls that the pace lets through in the given ms. */
    callsIn: (ms: number): number => Math.ceil((ms / rate.perMs) * rate.limit),
  };
}

interface OwnPace {
  store: PaceStore;
  rate: Rate;
}

/** Waits for a slot of a run's own pace, again where the slot closes or is lost meanwhile. */
async function slotOf(store: PaceStore, signal: AbortSignal): Promise<Reservation> {
  for (;;) {
    const slot = (await unlessAborted(store.reserve(longestSleep), signal)) ?? { waitMs: 0 };
    if ('waitMs' in slot) return slot;
    await untilOn(store, slot.at, signal);
    await unlessAborted(store.look(), signal);
    if (store.gate <= slot.at && store.pace === slot.pace) return slot;
  }
}

/**
 * The service's pace may let a call leave long after the slot of its run: then the run's pace goes on from there, and who
 * would leave together with that call waits.
 */
async function moveOn({ store, rate }: OwnPace, slotAt: number, leavesIn: number): Promise<void> {
  const late = store.now() + leavesIn - slotAt;
  if (late > slackOf(rate) * (1 - ownShareOfSlack)) await store.hold(leavesIn + spacingOf(rate));
}

/** What a promise brings, or undefined once the signal is aborted: a Redis that is away must not keep a process from ending. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return beforeAbort(promise, signal).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
}

/** Sleeps until a time on the store's clock, never shorter, unless the signal is aborted. */
async function untilOn(store: PaceStore, time: number, signal: AbortSignal): Promise<void> {
  for (let left = time - store.now(); left > 0 && !signal.aborted; left = time - store.now()) {
    // It rejects for nothing but the signal.
    await sleep(Math.ceil(left), undefined, { signal }).catch(() => {});
  }
}
