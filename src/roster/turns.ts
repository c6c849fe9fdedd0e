// Lets others have their turn during work that takes long.
import { setImmediate } from 'node:timers/promises';

/** The longest time, ms, for which others wait, beside that of one step. */
const longestMs = 25;

/** To be asked after each step: whether others have waited for long enough, and to give them their turn. */
export function createTurns(): { isOver: () => boolean; next: () => Promise<void> } {
  let since = performance.now();
  return {
    isOver: () => performance.now() - since >= longestMs,
    async next() {
      await setImmediate();
      since = performance.now();
    },
  };
}
