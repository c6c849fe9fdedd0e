// Writes an answer to the socket, whole or as a fault cuts it.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reply } from './reply.ts';
import type { Rendered } from './spoil.ts';

/**
 * Writes an answer in its manner. `done` is called once, just before the last byte that will be written is handed to
 * the socket: after it the client may already act on the answer. It is not called when the client leaves first.
 */
export function transmit(response: ServerResponse, rendered: Rendered, intervalMs: number, done: () => void): void {
  const { status, headers, bytes, manner } = rendered;
  response.writeHead(status, headers);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  switch (manner) {
    case 'whole':
      done();
      response.end(bytes);
      return;
    case 'truncated':
      done();
      // Destroyed only when the half is out, so that the client surely sees it.
      response.write(half, () => response.socket?.destroySoon());
      return;
    case 'stalled':
      response.write(half);
      return;
    case 'trickle':
      trickle(response, bytes, intervalMs, done);
  }
}

/** Faults that an answer in pieces can have without being held. */
export const pouredFaults = ['truncated', 'stalled', 'half-json'] as const;

/**
 * Writes an answer in pieces, no faster than the client takes it. With a fault it ends in the middle of the first pieces:
 * with the connection (`truncated`), properly (`half-json`), or not at all (`stalled`). `done` as for `transmit`.
 */
export async function pour(
  response: ServerResponse,
  reply: Pick<Reply, 'status' | 'headers'> & { pieces: () => Generator<string> },
  fault: (typeof pouredFaults)[number] | undefined,
  done: () => void,
): Promise<void> {
  response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8', ...reply.headers });
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  let written = 0;
  for (const piece of reply.pieces()) {
    if (gone.signal.aborted) return;
    const isFree = response.write(piece);
    written += 1;
    if (fault !== undefined && written === brokenAfter) break;
    // Also where the socket takes all at once others want their turn.
    if (!isFree) await once(response, 'drain', { signal: gone.signal }).catch(() => {});
    else if (written % 32 === 0) await nextTurn();
  }
  if (gone.signal.aborted || fault === 'stalled') return;
  done();
  if (fault === 'truncated') response.write(' ', () => response.socket?.destroySoon());
  else response.end();
}

/** The number of pieces after which a fault strikes. */
const brokenAfter = 5;

function trickle(response: ServerResponse, bytes: Buffer, intervalMs: number, done: () => void): void {
  let at = 0;
  const timer = setInterval(() => {
    at += 1;
    if (at < bytes.length) {
      response.write(bytes.subarray(at - 1, at));
      return;
    }
    clearInterval(timer);
    done();
    response.end(bytes.subarray(at - 1));
  }, intervalMs);
  response.on('close', () => clearInterval(timer));
}
