// Says how long a statement waits for the embedded database: briefly in a request, long in everything else.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Somebody waits for the answer, ms. */
const ofRequestMs = 10_000;
/** Longer than any transaction of ours takes on a busy machine, ms: beyond it, somebody waits for themselves. */
const ofWorkMs = 10 * 60_000;

const requests = new AsyncLocalStorage<boolean>();

/** Whether this is done for a request, which is told to come again where work waits. */
export const isRequest = (): boolean => requests.getStore() === true;

/** Does something for a request. */
export const asRequest = <Result>(act: () => Result): Result => requests.run(true, act);

/** What a request does from here on takes long anyway, and must not be left half done: it waits for as long as other work. */
export const waitAsWork = (): void => requests.enterWith(false);

/** The longest wait of a statement for the session, ms. */
export const longestWaitMs = (): number => (isRequest() ? ofRequestMs : ofWorkMs);
