// The act that watches runs change: one look at the ledger a second for all who listen, as server-sent events.
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { RequestError } from '../core/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WatchedRun } from '../ledger/runs/watching.ts';
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

/** What changes in a ledger, told to all who listen: the ledger is asked only while somebody does. */
class Changes {
  readonly #ledger: Pick<Ledger, 'watchRuns'>;
  readonly #listeners = new Set<Listener>();
  readonly #known = new Map<string, string>();
  #isAway = false;
  #isLooking = false;

  constructor(ledger: Pick<Ledger, 'watchRuns'>) {
    this.#ledger = ledger;
  }

  /** Calls back with each event as it is written, the open runs at once; returns what ends that. */
  listen(listener: Listener): () => void {
    if (this.#listeners.size >= mostListeners) {
      throw new RequestError(503, 'BUSY', `${mostListeners} streams are open already: try again in a moment.`);
    }
    for (const event of this.#known.values()) listener(event);
    this.#listeners.add(listener);
    void this.#lookWhileHeard();
    return () => void this.#listeners.delete(listener);
  }

  #tell(event: string): void {
    for (const listener of this.#listeners) listener(event);
  }

  async #lookWhileHeard(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#listeners.size > 0) {
      await this.#look().catch(() => {
        if (!this.#isAway) this.#tell(eventOf('ledger', { state: 'away' }));
        this.#isAway = true;
      });
      await pause(everyMs, undefined, { ref: false });
    }
    this.#known.clear();
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    const runs = await this.#ledger.watchRuns(endedForMs);
    if (this.#isAway) this.#tell(eventOf('ledger', { state: 'back' }));
    this.#isAway = false;
    for (const run of runs) {
      const event = eventOf('run', viewOf(run));
      if (this.#known.get(run.run) === event) continue;
      this.#known.set(run.run, event);
      this.#tell(event);
    }
    const open = new Set(runs.map(({ run }) => run));
    for (const run of this.#known.keys()) if (!open.has(run)) this.#known.delete(run);
  }
}

function viewOf({ run, source, status, lastEndedAt }: WatchedRun): object {
  return { run, source, status, lastEndedAt: lastEndedAt?.toISOString() ?? null };
}

function eventOf(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The changes of each ledger that somebody watches. */
const watched = new WeakMap<Ledger, Changes>();

/** For a time at most: after it whoever listens asks again, with credentials that still hold. */
export const watchChanges = look({
  id: 'runs.changes',
  input: ChangesQuery,
  output: ['text/event-stream'],
  async run({ context: { ledger }, closing }, { seconds }) {
    const changes = watched.get(ledger) ?? new Changes(ledger);
    watched.set(ledger, changes);
    const parts = new PassThrough();
    // Who reads too slowly is cut off, and asks again.
    const write = (text: string): void => {
      if (parts.writableNeedDrain && parts.writableLength > mostWaiting) parts.destroy();
      else parts.write(text);
    };
    const stop = changes.listen(write);
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
