import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import type { Chance } from './chance.ts';
import { install, real } from './install.ts';

/** A process of the simulated world: it may stand still for a while, or die at any await. */
export interface Being {
  name: string;
  isDead: boolean;
  /** When it died, by the monotonic clock. */
  diedAt: number;
  /** It ended properly. */
  hasStopped?: boolean;
  /** It stood still while it stopped, for longer than stopping waits for answers. */
  gaveUp?: boolean;
  /** It stands still until this moment of the monotonic clock, ms. */
  stallsUntil: number;
  /** What happens to it the next time that it asks this. */
  fate?: { verb: string; when: 'before' | 'during' | 'after'; strike(): void };
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

/** The processor time of this machine, ms; not that of the simulated world. */
export const realNow = real.now;

/** The moment at which every simulated world begins. */
const beginning = Date.parse('2026-03-02T01:00:00Z');

/** What works outside of JavaScript, or waits for the next turn of the event loop, as `process.getActiveResourcesInfo` names it. */
const atWork = /^(?:FSReq|CloseReq$|Immediate$)/;

/** Once files were asked for, so many turns of the event loop without one: between two requests of a file there may be some. */
const turnsBetweenFiles = 10;

/**
 * How many requests of files were made. Whoever looks only now and then misses one that is quick on this machine and at this
 * moment, and would let time pass earlier than with a slow one.
 */
let fileRequests = 0;
createHook({
  init(_, type) {
    if (type.startsWith('FSREQ') || type.startsWith('FILEHANDLE')) fileRequests += 1;
  },
  trackPromises: false,
}).enable();

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
  /** Of the requests of files, those that were waited for. */
  #fileRequests = fileRequests;
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
    for (let quiet = 0, needed = 1; quiet < needed;) {
      await new Promise((resolve) => real.setImmediate(resolve));
      if (fileRequests > this.#fileRequests) {
        this.#fileRequests = fileRequests;
        needed = turnsBetweenFiles;
        quiet = 0;
      }
      const isBusy = this.#busy > 0 || process.getActiveResourcesInfo().some((name) => atWork.test(name));
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
    return install(this, this.#chance, (run, ms, every) => {
      const task = this.#add(run, ms, whose.getStore(), every);
      return () => (task.isOver = true);
    });
  }
}

function isBefore(a: Task, b: Task): boolean {
  return a.due < b.due || (a.due === b.due && a.tie < b.tie);
}
