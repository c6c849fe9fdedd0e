// Waits for something no longer than a signal allows.
import { addAbortListener } from 'node:events';

/** What a promise brings; throws the signal's reason where that is aborted first. */
export async function beforeAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _ = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([promise, aborted]);
}
