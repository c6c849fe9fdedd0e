// Tells listeners what changes of runs: one look at the ledger a second for all of them, as server-sent events.
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Ledger } from '../ledger/ledger.ts';
import type { WatchedRun } from '../ledger/runs/watching.ts';
import { awaitAnswer } from './bodies.ts';
import type { ApiParts, ChangeFeed, ChangeListener } from './parts.ts';
import { RequestError } from './problems.ts';

/** How often the ledger is asked, ms. */
const everyMs = 1000;
/** A run that has ended is told for this time, ms: longer than a look may take. */
const endedForMs = 60_000;
/** Proxies close connections that say nothing, some after 30 s. */
const heartbeatMs = 15_000;
/** Streams of one server at a time; browsers without one load the page again every few seconds. */
const mostListeners = 100;

export function changeFeedOf(app: FastifyInstance, parts: Pick<ApiParts, 'feed' | 'context'>): ChangeFeed {
  const feed = (parts.feed ??= openChangeFeed(parts.context.ledger));
  app.addHook('preClose', async () => feed.close());
  return feed;
}

/** Opens the feed of a ledger; it asks the ledger only while somebody listens. */
function openChangeFeed(ledger: Pick<Ledger, 'watchRuns'>): ChangeFeed {
  const closing = new AbortController();
  const listeners = new Set<ChangeListener>();
  const known = new Map<string, string>();
  let isAway = false;
  let isLooking = false;

  function tell(event: string): void {
    for (const listener of listeners) listener(event);
  }

  async function look(): Promise<void> {
    const runs = await ledger.watchRuns(endedForMs);
    if (isAway) tell(eventOf('ledger', { state: 'back' }));
    isAway = false;
    for (const run of runs) {
      const event = eventOf('run', viewOf(run));
      if (known.get(run.run) === event) continue;
      known.set(run.run, event);
      tell(event);
    }
    const open = new Set(runs.map(({ run }) => run));
    for (const run of known.keys()) if (!open.has(run)) known.delete(run);
  }

  async function lookWhileHeard(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (listeners.size > 0 && !closing.signal.aborted) {
      await look().catch(() => {
        if (!isAway) tell(eventOf('ledger', { state: 'away' }));
        isAway = true;
      });
      await pause(everyMs, undefined, { signal: closing.signal }).catch(() => {});
    }
    known.clear();
    isLooking = false;
  }

  return {
    ended: closing.signal,
    listen(listener) {
      if (listeners.size >= mostListeners) {
        throw new RequestError(503, 'BUSY', `${mostListeners} streams are open already: try again in a moment.`);
      }
      for (const event of known.values()) listener(event);
      listeners.add(listener);
      void lookWhileHeard();
      return () => void listeners.delete(listener);
    },
    close: () => closing.abort(),
  };
}

function viewOf({ run, source, status, lastEndedAt }: WatchedRun): object {
  return { run, source, status, lastEndedAt: lastEndedAt?.toISOString() ?? null };
}

function eventOf(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Answers with the stream of a feed, for this time at most: after it the client asks again, with credentials that still hold. */
export function streamChanges(feed: ChangeFeed, reply: FastifyReply, forMs: number): FastifyReply {
  // Read to its end, a request without a body is not cut off for being slow; nor is its connection for being quiet.
  reply.request.raw.resume();
  awaitAnswer(reply.request);
  const stream = new PassThrough();
  // Who reads too slowly is cut off, and asks again.
  const write = (text: string): void => {
    if (stream.writableNeedDrain && stream.writableLength > 256 * 1024) stream.destroy();
    else stream.write(text);
  };
  // A browser that lost the stream waits this long, ms.
  const stop = feed.listen(write);
  write('retry: 2000\n\n');
  const beat = setInterval(() => write(': still here\n\n'), heartbeatMs);
  const end = setTimeout(() => stream.end(), forMs);
  const close = (): void => void stream.end();
  feed.ended.addEventListener('abort', close);
  stream.once('close', () => {
    clearInterval(beat);
    clearTimeout(end);
    feed.ended.removeEventListener('abort', close);
    stop();
  });
  return reply
    .type('text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(stream);
}
