// Shares the embedded database's one session among clients, one transaction at a time.
import { LedgerBusyError } from '../../../core/errors.ts';
import type { Engine } from './embedded-engine.ts';
import { splitFrames, stateOf, type Frame, type TransactionState } from './wire.ts';

/** Somebody who uses the one session. */
export interface SessionUser {
  /** Called with every NotificationResponse that arrives, no matter whose statement brought it. */
  notify(notification: Frame): void;
}

interface Turn {
  user: SessionUser;
  bytes: Buffer;
  statement: string;
  resolve(reply: Reply): void;
  reject(error: unknown): void;
  deadline: NodeJS.Timeout | undefined;
}

/** What came back for one batch of messages, without notifications, and the state the session is in. */
export interface Reply {
  bytes: Buffer;
  state: TransactionState;
}

/** Statements are quoted in errors without what stands between quotes, so that no value is ever shown. */
function quoted(statement: string): string {
  const bare = statement
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\s+/g, ' ')
    .trim();
  return bare.length > 200 ? `${bare.slice(0, 200)}…` : bare;
}

/**
 * The one session of an embedded database, shared by many users in a fair order: first come, first served.
 * A user whose statements opened a transaction holds the session until the transaction ends; everybody else
 * waits, at most `waitMs()`, then gets a LedgerBusyError that names what holds the session.
 */
export class Session {
  readonly #engine: Engine;
  readonly #waitMs: () => number;
  readonly #users = new Set<SessionUser>();
  #turns: Turn[] = [];
  #holder: SessionUser | undefined;
  #holding = '';
  #since = 0;
  #busy = false;

  constructor(engine: Engine, waitMs: () => number) {
    this.#engine = engine;
    this.#waitMs = waitMs;
  }

  join(user: SessionUser): void {
    this.#users.add(user);
  }

  /** Runs a batch of messages when it is this user's turn. `statement` is its SQL text, for error messages only. */
  run(user: SessionUser, bytes: Buffer, statement: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const turn: Turn = { user, bytes, statement, resolve, reject, deadline: undefined };
      const waitMs = this.#waitMs();
      if (this.#holder !== user) turn.deadline = setTimeout(() => this.#giveUp(turn, waitMs), waitMs);
      this.#turns.push(turn);
      this.#next();
    });
  }

  /** The user is gone: what it still waited for is dropped, what it left open is rolled back. */
  async leave(user: SessionUser, rollback: Buffer): Promise<void> {
    this.#users.delete(user);
    for (const turn of this.#turns.filter((waiting) => waiting.user === user)) clearTimeout(turn.deadline);
    this.#turns = this.#turns.filter((turn) => turn.user !== user);
    if (this.#holder === user) await this.run(user, rollback, 'ROLLBACK');
  }

  #giveUp(turn: Turn, waitMs: number): void {
    this.#turns = this.#turns.filter((waiting) => waiting !== turn);
    const heldFor = ((performance.now() - this.#since) / 1000).toFixed(1);
    turn.reject(
      new LedgerBusyError(
        `the embedded database was busy for ${waitMs / 1000} s: its session is held since ${heldFor} s by ` +
          `"${quoted(this.#holding)}"; waiting was "${quoted(turn.statement)}". ` +
          'Inside a transaction, use only the transaction; if this stays so, it is a bug to report.',
      ),
    );
  }

  #next(): void {
    if (this.#busy) return;
    const at = this.#holder === undefined ? 0 : this.#turns.findIndex((turn) => turn.user === this.#holder);
    const [turn] = at < 0 ? [] : this.#turns.splice(at, 1);
    if (turn === undefined) return;
    clearTimeout(turn.deadline);
    this.#busy = true;
    if (this.#holder === undefined) this.#since = performance.now();
    this.#holding = turn.statement;
    this.#engine
      .exec(turn.bytes)
      .then(
        (bytes) => turn.resolve(this.#read(turn.user, bytes)),
        (error: unknown) => {
          this.#holder = undefined;
          turn.reject(error);
        },
      )
      .finally(() => {
        this.#busy = false;
        this.#next();
      });
  }

  #read(user: SessionUser, bytes: Buffer): Reply {
    let state: TransactionState = this.#holder === undefined ? 'I' : 'T';
    const kept: Buffer[] = [];
    for (const message of splitFrames(bytes).frames) {
      if (message.type === 'Z') state = stateOf(message);
      if (message.type === 'A') for (const listener of this.#users) listener.notify(message);
      else kept.push(message.bytes);
    }
    this.#holder = state === 'I' ? undefined : user;
    return { bytes: Buffer.concat(kept), state };
  }
}
