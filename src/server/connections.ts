// Limits the number of connections: a new one displaces the one whose request began longest ago.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { leave } from './leaving.ts';
import { sendProblem } from './problems.ts';
import { writeProblem } from './refusals.ts';

/** How many connections there may be. */
export interface Room {
  /** At a time. */
  most: number;
  /** The number of these that newcomers cannot displace, if they belong to authenticated clients. */
  mostSafe: number;
}

const usualRoom: Room = { most: 500, mostSafe: 400 };

const crowded = {
  status: 503,
  code: 'CROWDED',
  detail: 'Too many connections are open, and this one has waited longest: try again in a moment.',
};

/**
 * Keeps room for new connections: each gets in, and if that is one too many, the connection whose request began longest
 * ago is closed. So unfinished requests, however many, cannot keep others out, for example `/healthz`. A connection is
 * safe while it serves an authenticated request, such as a long upload.
 */
export function keepRoom(app: FastifyInstance, { most, mostSafe }: Room = usualRoom): void {
  /** In the order in which their latest requests began. */
  const waiting = new Set<Socket>();
  const safe = new Set<Socket>();
  const underWay = new Map<Socket, FastifyReply>();

  function forget(socket: Socket): void {
    waiting.delete(socket);
    safe.delete(socket);
    underWay.delete(socket);
  }
  function turnOut(socket: Socket): void {
    const reply = underWay.get(socket);
    forget(socket);
    if (reply === undefined) return writeProblem(socket, crowded);
    if (reply.sent) return void socket.destroy();
    leave(reply.request, reply);
    void sendProblem(reply, crowded);
  }
  function makeNewest(socket: Socket): void {
    waiting.delete(socket);
    waiting.add(socket);
  }

  app.server.on('connection', (socket: Socket) => {
    waiting.add(socket);
    socket.once('close', () => forget(socket));
    const [oldest] = waiting;
    if (waiting.size + safe.size > most && oldest !== undefined) turnOut(oldest);
  });
  app.addHook('onRequest', async ({ raw: { socket } }: FastifyRequest, reply) => {
    if (!waiting.has(socket)) return;
    makeNewest(socket);
    underWay.set(socket, reply);
  });
  // By now the check of credentials has run.
  app.addHook('preParsing', async ({ by, raw: { socket } }) => {
    if (by !== '' && safe.size < mostSafe && waiting.delete(socket)) safe.add(socket);
  });
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    underWay.delete(socket);
    if (safe.delete(socket)) waiting.add(socket);
  });
}
