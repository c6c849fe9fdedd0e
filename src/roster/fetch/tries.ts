// Retries fetches after temporary trouble.
import { InputError } from '../../core/errors.ts';
import type { SourceDeps } from '../source-deps.ts';
import { PassingTrouble } from './trouble.ts';

/** How often something is tried, and until when. */
export interface Tries {
  name: string;
  attempts: number;
  /** Ms since the epoch; no wait goes beyond it. */
  until: number;
  signal: AbortSignal;
}

/** The waits between tries, in ms: 2 s, doubled each time, at most a minute. Six tries outlast a limit per minute. */
const firstWait = 2000;
const longestWait = 60_000;

/** Waits, or as long as the server asks. Throws an `InputError` when tries or time end; all else passes through. */
export async function tryAgain<Result>(
  { name, attempts, until, signal }: Tries,
  deps: Pick<SourceDeps, 'now' | 'random' | 'wait' | 'onWait'>,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PassingTrouble)) throw error;
      const { message, cause, waitMs } = error;
      if (tried >= attempts) {
        throw new InputError(`${name}: ${message} (tried ${times(tried)}). None of it was used.`, { cause });
      }
      const backoff = Math.min(longestWait, firstWait * 2 ** (tried - 1)) * (0.5 + deps.random() / 2);
      const wait = waitMs ?? backoff;
      if (deps.now().getTime() + wait > until) {
        throw new InputError(
          `${name}: ${message}, and the next try would come after its deadline. None of it was used.`,
          { cause },
        );
      }
      deps.onWait?.(message, wait);
      await deps.wait(wait, signal);
    }
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
