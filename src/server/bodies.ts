// Limits how long a body may take to arrive, and closes the connections of clients that were refused.
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify';
import { RequestError } from '../core/errors.ts';
import { waitAsWork } from '../ledger/database/reconnect.ts';

/** A file of many columns has a long form, bytes. */
export const mostOfForm = 4 * 1024 * 1024;

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

/** Aborted once a client has hung up, or has its answer. */
export function hungUp({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  const leave = (): void => left.abort(new RequestError(503, 'CLOSING', 'The client has hung up.'));
  if (raw.closed) leave();
  else raw.once('close', leave);
  return left.signal;
}

/** As `hungUp`, for what may wait until others are read: the connection is not cut off meanwhile. */
export function whileRead(reply: FastifyReply): AbortSignal {
  reply.request.raw.socket.setTimeout(0);
  return hungUp(reply);
}

/** The bytes of a body. Where reading them fails, the connection stays: the answer is still to be sent on it. */
export async function* fileOf({ body, raw }: FastifyRequest): AsyncGenerator<Buffer> {
  if (body === raw) yield* raw.iterator({ destroyOnReturn: false });
  raw.socket.setTimeout(0);
}

/** The time, ms, for which further data is read and dropped: closed at once, the answer could be lost (RFC 9112, 9.6). */
const lingerMs = 1000;

/** Has a connection closed after its answer is sent, whatever of the request is still to come. */
export function closeGently(socket: Socket): void {
  // What Node calls once the answer to a request is out after which the connection is to be closed.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

/** Nobody who is not let in can so keep a connection by sending slowly. */
export function closeRefused(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    answering.add(request.raw.socket);
    if (reply.statusCode < 400 || (request.by !== '' && request.raw.complete)) return;
    leave(request, reply);
  });
  app.addHook('onResponse', async ({ raw }) => void answering.delete(raw.socket));
}

const answering = new WeakSet<Socket>();

/** Whether an answer is on its way on a connection: another one would garble it. */
export function isAnswering(socket: Socket): boolean {
  return answering.has(socket);
}

/** Has the connection of a request closed once it is answered; what of it is still to come is read and dropped. */
export function leave({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  // Injected requests have none.
  if (raw.socket instanceof Socket) closeGently(raw.socket);
  if (!raw.complete) raw.resume();
}
