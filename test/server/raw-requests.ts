import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which bytes are written as they are, and all that came back on it. */
export interface RawConnection {
  socket: Socket;
  received(): string;
  /** Waits until what was received matches. Rejects with it where the connection is closed before. */
  until(pattern: RegExp): Promise<void>;
  /** Once the connection is closed, by whomever. */
  closed: Promise<void>;
}

/** Connects to a server on loopback. */
export function connectRaw(url: string): RawConnection {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  return {
    socket,
    received: () => text,
    async until(pattern) {
      while (!pattern.test(text)) {
        if (isClosed) throw new Error(`closed after: ${text}`);
        await Promise.race([once(socket, 'data'), closed]);
      }
    },
    closed,
  };
}

/** What a response says, as far as problems have it. */
export function problemIn(text: string): {
  status: number;
  type: string | undefined;
  problem: Record<string, unknown>;
} {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const type = /^content-type: (.*)$/im.exec(head)?.[1]?.trim();
  return { status: Number(head.slice(9, 12)), type, problem: JSON.parse(body) as Record<string, unknown> };
}
