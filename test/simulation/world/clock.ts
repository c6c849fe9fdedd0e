import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Chance } from './chance.ts';

/** A process of the simulated world: it may stand still for a while, or die at any await. */
export interface Being {
  name: string;
  isDead: boolean;
  /** When it died, by the monotonic clock. */
  diedAt: number;
  /** It stands still until this moment of the monotonic clock, ms. */
  stallsUntil: number;
}

interface Task {
  due: number;
  /** Tasks that are due at the same moment run in the order of these, which chance has drawn. */
  tie: number;
  being: Being | undefined;
  run: () => void;
  /** Of an interval, ms. */
  every?: number;
  isOver: boolean;
}

const real = {
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
};

/** The processor time of this machine, ms; not that of the simulated world. */
export const realNow = real.now;

/** The moment at which every simulated world begins. */
const beginning = Date.parse('2026-03-02T01:00:00Z');

/** What a file is busy with, as `process.getActiveResourcesInfo` names it: closing one has a name of its own. */
const filesAtWork = /^(?:FSReq|CloseReq$)/;

/** Turns of the event loop in which nothing is at work: between two requests of a file there may be one. */
const quietTurns = 3;

/** Whoever works while time stands still. */
const outside: Being = { name: 'outside', isDead: true, diedAt: 0, stallsUntil: 0 };

const whose = new AsyncLocalStorage<Being | undefined>();

/**
 * The clock, the timers and the chance of everything that runs in this process, simulated: time passes only when nobody has
 * anything to do, and jumps to the next moment at which somebody has. While a clock is installed, `Date`, `performance.now`,
 * every kind of timer, `Math.random` and `randomBytes` are its own, also for PostgreSQL, which runs in this thread and asks
 * JavaScript what time it is.
 */
export class Clock {
  readonly #chance: Chance;
  #now = 1_000_000;
  #wallOffset = beginning - 1_000_000;
  readonly #tasks: Task[] = [];
  #busy = 0;
  /** How many tasks were run. */
  turns = 0;
  /** The share of timers that run late, as on a busy machine. */
  lateness = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** The monotonic clock, ms. */
  get now(): number {
    return this.#now;
  }

  /** The clock on the wall, ms since the epoch. */
  get wall(): number {
    return Math.floor(this.#now + this.#wallOffset);
  }

  /** Sets the clock on the wall ahead or back. */
  jump(byMs: number): void {
    this.#wallOffset += byMs;
  }

  /** Time passes without anybody noticing: the machine was asleep. */
  skip(ms: number): void {
    this.#now += ms;
  }

  /** Waits, as a part of the world that never stands still. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#add(resolve, ms, undefined));
  }

  /** Waits as the process that asks: if it dies meanwhile, it never wakes up. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#add(resolve, ms, whose.getStore()));
  }

  /** Work that takes real time, such as a statement: time stands still until it is done. */
  async whileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#busy += 1;
    try {
      return await whose.run(outside, work);
    } finally {
      this.#busy -= 1;
    }
  }

  /** Does something as a process. */
  as<Result>(being: Being | undefined, work: () => Result): Result {
    return whose.run(being, work);
  }

  /** The process that asks. */
  get being(): Being | undefined {
    return whose.getStore();
  }

  /** Runs until `main` has ended. */
  async run<Result>(main: () => Promise<Result>): Promise<Result> {
    const uninstall = this.#install();
    let ended = false;
    const result = whose.run(undefined, main).finally(() => (ended = true));
    result.catch(() => {});
    try {
      for (;;) {
        await this.#settle();
        if (ended) return await result;
        this.#turn();
      }
    } finally {
      this.#tasks.length = 0;
      uninstall();
    }
  }

  /** Lets everything happen that takes no time, and waits for files, such as a module that is loaded when it is first needed. */
  async #settle(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns;) {
      await new Promise((resolve) => real.setImmediate(resolve));
      const isBusy = this.#busy > 0 || process.getActiveResourcesInfo().some((name) => filesAtWork.test(name));
      quiet = isBusy ? 0 : quiet + 1;
    }
  }

  #turn(): void {
    const task = this.#pop();
    if (task === undefined) throw new Error('nobody has anything to do, and the story is not over');
    const { being } = task;
    if (task.isOver || being?.isDead === true) return;
    if (being !== undefined && being.stallsUntil > Math.max(task.due, this.#now)) {
      task.due = being.stallsUntil;
      this.#push(task);
      return;
    }
    if (being !== undefined && this.lateness > 0 && this.#chance.happens(this.lateness)) {
      task.due = Math.max(this.#now, task.due) + this.#chance.between(15, 900);
      this.#push(task);
      return;
    }
    this.#now = Math.max(this.#now, task.due);
    this.turns += 1;
    if (task.every === undefined) task.isOver = true;
    else this.#push(Object.assign(task, { due: this.#now + task.every, tie: this.#chance.next() }));
    whose.run(being, task.run);
  }

  #add(run: () => void, ms: number, being: Being | undefined, every?: number): Task {
    // PostgreSQL's own timers go by what happened in it before the story.
    if (being === outside) return { due: Infinity, tie: 0, being, run, isOver: true };
    const due = this.#now + (ms > 0 ? ms : 0);
    const task: Task = { due, tie: this.#chance.next(), being, run, isOver: false };
    if (every !== undefined) task.every = Math.max(1, every);
    this.#push(task);
    return task;
  }

  /** A binary heap by `due`, then `tie`. */
  #push(task: Task): void {
    const heap = this.#tasks;
    let at = heap.push(task) - 1;
    for (let up = (at - 1) >> 1; at > 0 && isBefore(task, heap[up] as Task); at = up, up = (at - 1) >> 1) {
      heap[at] = heap[up] as Task;
    }
    heap[at] = task;
  }

  #pop(): Task | undefined {
    const heap = this.#tasks;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || first === last) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Task, heap[child] as Task)) child += 1;
      if (!isBefore(heap[child] as Task, last)) break;
      heap[at] = heap[child] as Task;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  #install(): () => void {
    return install(this, this.#chance, (...given) => this.#add(...given));
  }
}

/** Puts a clock in the place of everything that tells or takes time. Returns what undoes it. */
function install(
  clock: Clock,
  chance: Chance,
  add: (run: () => void, ms: number, being: Being | undefined, every?: number) => Task,
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
  const timer = (task: Task): object => ({
    task,
    ref: () => timer(task),
    unref: () => timer(task),
    hasRef: () => true,
    [Symbol.toPrimitive]: () => 1,
  });
  const end = (given?: { task?: Task }): void => {
    if (given?.task) given.task.isOver = true;
  };
  const later =
    (isInterval: boolean) =>
    (run: (...rest: unknown[]) => void, ms = 0, ...rest: unknown[]): object =>
      timer(add(() => run(...rest), ms, whose.getStore(), isInterval ? ms : undefined));
  Object.assign(globalThis, {
    Date: SimulatedDate,
    setTimeout: later(false),
    setInterval: later(true),
    setImmediate: (run: (...rest: unknown[]) => void, ...rest: unknown[]) =>
      timer(add(() => run(...rest), 0, whose.getStore())),
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
  syncBuiltinESMExports();
  return () => {
    const { now, random, sleep, randomBytes, randomUUID, ...globals } = real;
    Object.assign(globalThis, globals);
    performance.now = now;
    Math.random = random;
    Object.assign(timersPromises, { setTimeout: sleep });
    Object.assign(crypto, { randomBytes, randomUUID });
    syncBuiltinESMExports();
  };
}

function isBefore(a: Task, b: Task): boolean {
  return a.due < b.due || (a.due === b.due && a.tie < b.tie);
}

/** What `setTimeout` of `node:timers/promises` is while a clock is installed. */
function sleeping(clock: Clock) {
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
