/**
 * Loaded before a program (`--import`) that was started with an IPC channel: from the message `reset` on it watches how long its
 * event loop is held up, and on `read` it answers with the longest.
 */
import { isMainThread } from 'node:worker_threads';
import { type Turns, watchTurns } from './loop-turns.ts';

if (isMainThread && process.send) {
  let read: (() => Turns) | undefined;
  process.on('message', (message) => {
    if (message === 'reset') {
      read?.();
      read = watchTurns();
    }
    if (message === 'read') process.send?.(read?.());
  });
  process.channel?.unref();
}
