// The sandbox's clock, which can be moved, and the invitations that it would send, 1 to 5 minutes after an insert.
import { draw } from './random.ts';

/** The sandbox's own time, in epoch milliseconds: it runs with the given clock and can be moved forward, never back. */
export class Clock {
  readonly #base: () => number;
  #moved = 0;
  constructor(base: () => number = Date.now) {
    this.#base = base;
  }
  now(): number {
    return this.#base() + this.#moved;
  }
  /** Moves the time forward by a number of milliseconds; throws `RangeError` for anything but a number of at least 0. */
  advance(milliseconds: number): void {
    if (!Number.isFinite(milliseconds) || milliseconds < 0) {
      throw new RangeError(`the sandbox's clock moves forward by milliseconds, not by ${milliseconds}`);
    }
    this.#moved += milliseconds;
  }
}

/** One invitation; times are epoch milliseconds of the sandbox's clock. It counts as sent once `dueAt` has come. */
export interface Invitation {
  email: string;
  addedAt: number;
  dueAt: number;
}

/** The limits of interface.md, "Limits": an invitation is sent 1 to 5 minutes after the user was added. */
const earliestMs = 60_000;
const latestMs = 300_000;

/** The invitations to new users. Nothing is ever sent anywhere: what would have been is listed here. */
export class Outbox {
  readonly #clock: Clock;
  readonly #seed: number;
  readonly #invitations: Invitation[] = [];
  constructor(clock: Clock, seed: number) {
    this.#clock = clock;
    this.#seed = seed;
  }
  /** Plans the invitation of a user added now; when it is due depends only on the seed and the person's key. */
  invite(email: string, key: string): void {
    const addedAt = this.#clock.now();
    const delay = earliestMs + Math.floor(draw(this.#seed, 'invitation', key) * (latestMs - earliestMs + 1));
    this.#invitations.push({ email, addedAt, dueAt: addedAt + delay });
  }
  /** Invitations whose time has come, in the order in which they were sent. */
  sent(): Invitation[] {
    const now = this.#clock.now();
    return this.#invitations.filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt);
  }
  /** Invitations still to be sent, the next one first. */
  pending(): Invitation[] {
    const now = this.#clock.now();
    return this.#invitations.filter(({ dueAt }) => dueAt > now).toSorted((a, b) => a.dueAt - b.dueAt);
  }
  /** The same as the lengths of both lists, without sorting them: it is asked while calls are being answered. */
  count(): { sent: number; pending: number } {
    const now = this.#clock.now();
    let sent = 0;
    for (const { dueAt } of this.#invitations) if (dueAt <= now) sent += 1;
    return { sent, pending: this.#invitations.length - sent };
  }
}
