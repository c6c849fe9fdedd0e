// Bounds a fetch in time, and retries it after temporary trouble.
import { InputError } from '../../core/errors.ts';
import type { SourceDeps } from '../source-deps.ts';
import { PagesShifted, PassingTrouble } from './trouble.ts';

/** How often something is tried, and until when. */
export interface Tries {
  attempts: number;
  /** Ms since the epoch; no wait goes beyond it. */
  until: number;
  signal: AbortSignal;
  /** Why nothing more comes from a place: the time is over, or nobody wants it any more; undefined while neither is so. */
  ended(place: string): Error | undefined;
}

/** Begins the time that a source has. */
export function triesOf(
  { attempts, deadline }: { attempts: number; deadline: number },
  { name, now, signal }: Pick<SourceDeps, 'name' | 'now' | 'signal'>,
): Tries {
  const end = AbortSignal.timeout(deadline);
  return {
    attempts,
    until: now().getTime() + deadline,
    signal: signal ? AbortSignal.any([signal, end]) : end,
    ended(place) {
      if (signal?.aborted) return signal.reason as Error;
      return end.aborted
        ? new InputError(`${name}: ${place} took longer than ${deadline / 1000} s in all.`)
        : undefined;
    },
  };
}

/** The waits between tries, in ms: 2 s, doubled each time, at most a minute. Six tries outlast a limit per minute. */
const firstWait = 2000;
const longestWait = 60_000;

/** Waits, or as long as the server asks. Throws an `InputError` when tries or time end; all else passes through. */
export async function tryAgain<Result>(
  { attempts, until, signal }: Omit<Tries, 'ended'>,
  deps: Pick<SourceDeps, 'name' | 'now' | 'random' | 'wait' | 'onWait'>,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PassingTrouble)) throw error;
      const { message, cause, waitMs } = error;
      if (tried >= attempts) {
        const times = tried === 1 ? 'once' : `${tried} times`;
        throw new InputError(`${deps.name}: ${message} (tried ${times}). None of it was used.`, { cause });
      }
      const backoff = Math.min(longestWait, firstWait * 2 ** (tried - 1)) * (0.5 + deps.random() / 2);
      const wait = waitMs ?? backoff;
      if (deps.now().getTime() + wait > until) {
        throw new InputError(
          `${deps.name}: ${message}, and the next try would come after its deadline. None of it was used.`,
          { cause },
        );
      }
      deps.onWait?.(message, wait);
      await deps.wait(wait, signal);
    }
  }
}

/** How often all parts are read again because they shifted. */
const mostReadings = 3;

/** Reads all parts again, from the beginning, while they do not belong together. Throws an `InputError` in the end. */
export async function readWhole<Result>(
  { name, onWait }: Pick<SourceDeps, 'name' | 'onWait'>,
  read: () => Promise<Result>,
): Promise<Result> {
  for (let reading = 1; ; reading++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PagesShifted)) throw error;
      if (reading >= mostReadings) {
        throw new InputError(
          `${name}: ${error.message}, ${mostReadings} times: people may be missing. None of it was used.`,
        );
      }
      onWait?.(`${error.message}: it is read again from the beginning`, 0);
    }
  }
}
