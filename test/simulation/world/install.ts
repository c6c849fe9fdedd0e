import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Chance } from './chance.ts';

/** What takes the place of the real time. */
interface SimulatedTime {
  /** The monotonic clock, ms. */
  readonly now: number;
  /** The clock on the wall, ms since the epoch. */
  readonly wall: number;
  /** Waits as the process that asks. */
  pause(ms: number): Promise<void>;
}

/** What tells or takes time, and chance, before a clock is installed. */
export const real = {
  Date: globalThis.Date,
  now: performance.now.bind(performance),
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  random: Math.random,
  sleep: timersPromises.setTimeout,
  randomBytes: crypto.randomBytes,
  randomUUID: crypto.randomUUID,
  randomFillSync: crypto.randomFillSync,
  getRandomValues: globalThis.crypto.getRandomValues,
};

/** Puts a clock in the place of everything that tells or takes time. Returns what undoes it. */
export function install(
  clock: SimulatedTime,
  chance: Chance,
  add: (run: () => void, ms: number, every?: number) => () => void,
): () => void {
  class SimulatedDate extends real.Date {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(clock.wall);
      else super(...(given as [number]));
    }
    static override now(): number {
      return clock.wall;
    }
  }
  const timer = (clear: () => void): object => ({
    clear,
    ref: () => timer(clear),
    unref: () => timer(clear),
    hasRef: () => true,
    [Symbol.toPrimitive]: () => 1,
  });
  const end = (given?: { clear?: () => void }): void => given?.clear?.();
  const later =
    (isInterval: boolean) =>
    (run: (...rest: unknown[]) => void, ms = 0, ...rest: unknown[]): object =>
      timer(add(() => run(...rest), ms, isInterval ? ms : undefined));
  Object.assign(globalThis, {
    Date: SimulatedDate,
    setTimeout: later(false),
    setInterval: later(true),
    setImmediate: (run: (...rest: unknown[]) => void, ...rest: unknown[]) => timer(add(() => run(...rest), 0)),
    clearTimeout: end,
    clearInterval: end,
    clearImmediate: end,
  });
  performance.now = () => clock.now;
  Math.random = () => chance.next();
  Object.assign(timersPromises, { setTimeout: sleeping(clock) });
  Object.assign(crypto, {
    randomBytes: (size: number) => Buffer.from(Array.from({ length: size }, () => chance.between(0, 255))),
    randomUUID: () => `00000000-0000-4000-8000-${String(chance.between(0, 999_999_999_999)).padStart(12, '0')}`,
  });
  const fill = <Given extends NodeJS.ArrayBufferView>(given: Given): Given => {
    const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
    for (const at of bytes.keys()) bytes[at] = chance.between(0, 255);
    return given;
  };
  Object.assign(crypto, { randomFillSync: fill });
  Object.assign(globalThis.crypto, { getRandomValues: fill });
  syncBuiltinESMExports();
  return () => {
    const { now, random, sleep, randomBytes, randomUUID, randomFillSync, getRandomValues, ...globals } = real;
    Object.assign(globalThis, globals);
    performance.now = now;
    Math.random = random;
    Object.assign(timersPromises, { setTimeout: sleep });
    Object.assign(crypto, { randomBytes, randomUUID, randomFillSync });
    Object.assign(globalThis.crypto, { getRandomValues });
    syncBuiltinESMExports();
  };
}

/** What `setTimeout` of `node:timers/promises` is while a clock is installed. */
function sleeping(clock: SimulatedTime) {
  return async (ms = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> => {
    const aborted = (): Error => new DOMException('The operation was aborted', 'AbortError');
    if (signal?.aborted) throw aborted();
    if (signal === undefined) {
      await clock.pause(ms);
      return value;
    }
    const end = Promise.withResolvers<never>();
    const abort = (): void => end.reject(aborted());
    signal.addEventListener('abort', abort, { once: true });
    try {
      await Promise.race([clock.pause(ms), end.promise]);
      return value;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
}
