import type { ServerResponse } from 'node:http';
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
