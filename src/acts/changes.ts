// The act that watches runs change: one look at the ledger a second for all who listen, as server-sent events.
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { RequestError } from '../core/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { look } from './act.ts';
import { ChangesQuery } from './shapes/people-of-run.ts';

/** How often the ledger is asked, ms. */
const everyMs = 1000;
/** A run that has ended is told for this time, ms: longer than a look may take. */
const endedForMs = 60_000;
/** Proxies close connections that say nothing, some after 30 s. */
const heartbeatMs = 15_000;
/** Streams of one ledger at a time; browsers without one load the page again every few seconds. */
const mostListeners = 100;
/** What somebody who reads slowly may have to come, in characters. */
const mostWaiting = 256 * 1024;

/** Gets each event of a stream, as it is written. */
type Listener = (event: string) => void;

/** Tells what changes in a ledger to all who listen: the ledger is asked only while somebody does. */
function changesOf(ledger: Pick<Ledger, 'watchRuns'>) {
  const listeners = new Set<Listener>();
  const known = new Map<string, string>();
  let isAway = false;
  let isLooking = false;
  const tell = (event: string): void => listeners.forEach((listener) => listener(event));

  async function look(): Promise<void> {
    const runs = await ledger.watchRuns(endedForMs);
    if (isAway) tell(eventOf('ledger', { state: 'back' }));
    isAway = false;
    for (const { run, source, status, lastEndedAt } of runs) {
      const event = eventOf('run', { run, source, status, lastEndedAt });
      if (known.get(run) === event) continue;
      known.set(run, event);
      tell(event);
    }
    const open = new Set(runs.map(({ run }) => run));
    for (const run of known.keys()) if (!open.has(run)) known.delete(run);
  }

  async function lookWhileHeard(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (listeners.size > 0) {
      await look().catch(() => {
        if (!isAway) tell(eventOf('ledger', { state: 'away' }));
        isAway = true;
      });
      await pause(everyMs, undefined, { ref: false });
    }
    known.clear();
    isLooking = false;
  }

  /** Calls back with each event as it is written, the open runs at once; returns what ends that. */
  return (listener: Listener): (() => void) => {
    if (listeners.size >= mostListeners) {
      throw new RequestError(503, 'BUSY', `${mostListeners} streams are open already: try again in a moment.`);
    }
    for (const event of known.values()) listener(event);
    listeners.add(listener);
    void lookWhileHeard();
    return () => void listeners.delete(listener);
  };
}

function eventOf(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The changes of each ledger that somebody watches. */
const watched = new WeakMap<Ledger, ReturnType<typeof changesOf>>();

/** For a time at most: after it whoever listens asks again, with credentials that still hold. */
export const watchChanges = look({
  id: 'runs.changes',
  input: ChangesQuery,
  output: ['text/event-stream'],
  async run({ context: { ledger }, closing }, { seconds }) {
    const listen = watched.get(ledger) ?? changesOf(ledger);
    watched.set(ledger, listen);
    const parts = new PassThrough();
    // Who reads too slowly is cut off, and asks again.
    const write = (text: string): void => {
      if (parts.writableNeedDrain && parts.writableLength > mostWaiting) parts.destroy();
      else parts.write(text);
    };
    const stop = listen(write);
    // A browser that lost the stream waits this long, ms.
    write('retry: 2000\n\n');
    const beat = setInterval(() => write(': still here\n\n'), heartbeatMs);
    const end = (): void => void parts.end();
    const timer = setTimeout(end, seconds * 1000);
    closing?.addEventListener('abort', end);
    parts.once('close', () => {
      clearInterval(beat);
      clearTimeout(timer);
      closing?.removeEventListener('abort', end);
      stop();
    });
    return { name: '', type: 'text/event-stream', parts };
  },
  http: { route: 'GET /changes', operation: 'streamChanges' },
});
