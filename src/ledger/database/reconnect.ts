// Waits for a PostgreSQL that is unreachable or read-only, and for an embedded database that is busy.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../core/words/say.ts';
import { codeOf, LedgerAwayError, LedgerBusyError, LostConnectionError, StorageError } from '../../core/errors.ts';

/** Somebody waits for the answer, ms. */
const ofRequestMs = 10_000;
/** Longer than any transaction of ours takes on a busy machine, ms: beyond it, somebody waits for themselves. */
const ofWorkMs = 10 * 60_000;

const purposes = new AsyncLocalStorage<'request' | 'work' | 'planning'>();

/** Whether this is done for a request, which is told to come again where work waits. */
const isRequest = (): boolean => purposes.getStore() === 'request';

/** Does something for a request. */
export const asRequest = <Result>(act: () => Result): Result => purposes.run('request', act);

/** What a request does from here on takes long anyway, and must not be left half done: it waits for as long as other work. */
export const waitAsWork = (): void => purposes.enterWith('work');

/** Whether this is done to plan a run, which lets others have the session in between. */
export const isPlanning = (): boolean => purposes.getStore() === 'planning';

/** Does something that plans a run; for a request, which somebody waits for, as a request. */
export const asPlanning = <Result>(act: () => Result): Result => (isRequest() ? act() : purposes.run('planning', act));

/** The longest wait of a statement for the session, ms. */
export const longestWaitMs = (): number => (isRequest() ? ofRequestMs : ofWorkMs);

/** The time to keep on asking a database that cannot be reached. */
export interface LossPolicy {
  /** 0 if there is no connection that could be lost. */
  forMs: number;
  /** Called once when the connection is lost, and why. */
  onLoss(error: Error): void;
  /** The time, ms, after which an unanswered short statement counts as lost in the network; absent if there is none. */
  silence?: { afterMs: number; onSilence(): void };
}

/** The waits between two attempts, ms: short at first, then two seconds. */
const waits = [50, 100, 250, 500, 1000, 2000];

/** What a server answers to any change while it may only be read: a standby, or one that another is replacing. */
const readOnlyCode = '25006';
/**
 * PostgreSQL's own codes: a connection that broke (class 08) or was idle for too long (57P05), a server that goes down or
 * comes up (57P01 to 57P03), one that may only be read or is a standby (25006, 40001), a full disk, too little memory, too
 * many connections (class 53); statements and transactions that an admin or a timeout of theirs has ended (57014, 55P03,
 * 25P03, 25P04); and deadlocks (40P01), which are over once one side has given way.
 */
const passingCodes = /^(08...|57P0[1235]|57014|53...|55P03|25006|25P0[34]|40001|40P01)$/;
const networkCodes = /^E(CONNREFUSED|CONNRESET|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH|AI_AGAIN)$/;
/** Messages of pg that have no code. */
const passingMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error says that a database may only be read. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnlyCode;
}

/** Whether an error says that a database cannot be reached, or takes no changes, for temporary reasons. */
export function isConnectionLoss(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof LedgerAwayError) return true;
  const code = codeOf(error);
  return passingCodes.test(code) || networkCodes.test(code) || passingMessages.test(error.message);
}

/**
 * Repeats a statement until the database answers or the time is over: for statements that may be repeated. A database that is
 * busy answers in the end. A request is kept waiting for neither: it gets the error, and comes again.
 */
export async function retryWhileAway<Result>(
  call: () => Promise<Result>,
  { forMs, onLoss }: LossPolicy,
): Promise<Result> {
  const until = performance.now() + Math.min(forMs, isRequest() ? ofRequestMs : Infinity);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const isBusy = error instanceof LedgerBusyError && !isRequest();
      if (!isBusy && !isConnectionLoss(error)) throw error;
      if (!isBusy && performance.now() >= until) throw forMs > 0 && !isRequest() ? tooLong(error, forMs) : error;
      if (attempt === 0) onLoss(error);
      await sleep(waits[Math.min(attempt, waits.length - 1)]);
    }
  }
}

function tooLong({ message }: Error, forMs: number): StorageError {
  return new StorageError(say('databaseAway', 1, { minutes: Math.ceil(forMs / 60_000), message }));
}

/** Reports a short statement that gets no answer. The statement keeps waiting, and fails when its connection is closed. */
export async function watchForSilence<Result>(call: () => Promise<Result>, { silence }: LossPolicy): Promise<Result> {
  const timer = silence && setTimeout(silence.onSilence, silence.afterMs);
  try {
    return await call();
  } finally {
    clearTimeout(timer);
  }
}

/** Names an outage as the ledger's: Redis, a service, or whoever sends a file break off with the same codes. */
export async function nameLoss<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw isConnectionLoss(error) ? new LedgerAwayError(error.message, { cause: error }) : error;
  }
}

/** Turns an outage into an error that planning understands: for statements that must not be repeated. */
export async function reportLoss(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (!isConnectionLoss(error)) throw error;
    throw new LostConnectionError('The ledger could not be reached while planning. Nothing was sent.', {
      cause: error,
    });
  }
}
