// Closes the connections of clients that were refused.
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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
