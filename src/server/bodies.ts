// Limits how long a body may take to arrive.
import { RequestError } from '../core/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { waitAsWork } from '../ledger/database/reconnect.ts';

/** Files are given the time that any request has. */
export function hurry(app: FastifyInstance, withinMs: number): void {
  app.addHook('preParsing', async ({ routeOptions, raw }) => {
    if (routeOptions.config.takesFile === true) return;
    const timer = setTimeout(() => {
      const tooSlow = new RequestError(408, 'TOO_SLOW', `The body did not arrive within ${withinMs / 1000} s.`);
      // The reader of the body gets the error, and answers.
      if (raw.listenerCount('error') > 0) raw.emit('error', tooSlow);
      else raw.destroy();
    }, withinMs);
    raw.once('close', () => clearTimeout(timer));
    raw.once('end', () => clearTimeout(timer));
  });
}

/** Has a request that has come in full wait for its answer, and for the ledger, however long planning takes. */
export function awaitAnswer({ raw: { socket } }: FastifyRequest): void {
  // Node sets it again when the next request begins.
  socket.setTimeout(0);
  waitAsWork();
}

/** The bytes of a body. Where reading them fails, the connection stays: the answer is still to be sent on it. */
export async function* fileOf({ body, raw }: FastifyRequest): AsyncGenerator<Buffer> {
  if (body === raw) yield* raw.iterator({ destroyOnReturn: false });
  raw.socket.setTimeout(0);
}
