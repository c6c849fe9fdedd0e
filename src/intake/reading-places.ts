// Lets two uploads be read at a time: each may take a gigabyte of memory. Others wait.
import { beforeAbort } from '../core/before-abort.ts';
import { RequestError } from '../core/errors.ts';
import { say } from '../core/words/say.ts';

const mostReadings = 2;
/** Two looks and a plan wait for a moment only; more than these would wait for minutes. */
const mostWaiting = 20;

let readings = 0;
const waiting: (() => void)[] = [];

/**
 * Waits for a place and takes it until it is disposed of. What is read within a reading takes no place of its own.
 * @param signal ends the wait: its reason is thrown
 * @throws RequestError where too many wait
 */
export async function takeReadingPlace(signal?: AbortSignal): Promise<Disposable> {
  signal?.throwIfAborted();
  if (readings < mostReadings) readings += 1;
  else if (waiting.length < mostWaiting) await handedOn(signal);
  else throw new RequestError(503, 'BUSY', say('manyReadings', mostReadings));
  return { [Symbol.dispose]: handOn };
}

async function handedOn(signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  try {
    await (signal ? beforeAbort(promise, signal) : promise);
  } catch (error) {
    const at = waiting.indexOf(resolve);
    if (at >= 0) waiting.splice(at, 1);
    // It was given the place in that very moment.
    else handOn();
    throw error;
  }
}

function handOn(): void {
  const next = waiting.shift();
  if (next) next();
  else readings -= 1;
}
