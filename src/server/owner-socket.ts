// Listens on the data directory's socket and loads its server at the first request.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../wiring/context.ts';
import type { ApiParts, ServerParts } from './parts.ts';

/** At the end answers under way have this long, ms. */
const graceMs = 2000;

export type Answering = ReturnType<typeof answerOthers>;

/** The server is loaded when the first request comes; a check whether anybody is there costs nothing. */
export function answerOthers(context: Context) {
  const { ownSocket, log } = context;
  let parts: ApiParts | ServerParts = { context, poke: (runId) => context.adopted.add(runId) };
  let app: Promise<FastifyInstance> | undefined;
  /** The one loaded before `as` still answers who came then. */
  const apps: Promise<FastifyInstance>[] = [];
  /** Fastify waits for no answers of a server that does not listen itself. */
  const underWay = new Set<ServerResponse>();
  let closed = false;

  async function load(): Promise<FastifyInstance> {
    const { createOwnerApp } = await import('./owner-app.ts');
    const made = await createOwnerApp(parts);
    await made.ready();
    made.server.on('request', (_request, response) => {
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
    });
    return made;
  }
  async function hand(socket: Socket): Promise<void> {
    if (!app) apps.push((app = load()));
    const loading = app;
    try {
      const { server } = await loading;
      if (closed) socket.destroy();
      else server.emit('connection', socket);
    } catch (error) {
      // The next one who asks has it loaded again.
      if (app === loading) app = undefined;
      log.error({ err: error }, 'the socket cannot be served');
      socket.destroy();
    }
  }
  function look(socket: Socket): void {
    socket.once('readable', () => {
      if (socket.readableLength > 0) void hand(socket);
      else socket.destroy();
    });
  }
  ownSocket?.on('connection', look);
  return {
    /** From now on others get what this server can do; before, runs that they release are delivered together with the owner's own. */
    as(server: ServerParts): void {
      parts = server;
      app = undefined;
    },
    /** Answers what is being asked, and then nobody any more. May be asked again. */
    async close(): Promise<void> {
      if (closed) return;
      closed = true;
      ownSocket?.off('connection', look);
      for (const each of apps) await (await each.catch(() => undefined))?.close();
      const answered = Promise.all([...underWay].map((response) => once(response, 'close').catch(() => {})));
      await Promise.race([answered, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
