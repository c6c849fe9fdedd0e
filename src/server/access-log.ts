// Logs one line for each request, without path, query or person.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actsPath } from '../acts/act.ts';
import type { Logger } from '../process/logger.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, for the audit and the log: `token nightly-ci`; empty while nobody has proved who they are. */
    by: string;
    scopes: readonly string[];
  }
}

/** The route as it is registered, `/hooks/:source/:secret`: what a client puts into a path is never recorded. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? '(no route)';
}

/** Where a request came from, for the audit: a network address, or nothing if it came over the owner's socket. */
export function originOf({ ip }: FastifyRequest): string {
  return ip ?? '';
}

/** Health checks, and reads by commands in a second terminal, often many a second; what those change is recorded. */
const isRoutine = (route: string): boolean => route === '/healthz' || route === '/readyz' || route.startsWith(actsPath);

/** As nginx logs a client that hung up before it had the whole answer. */
const clientClosed = 499;

/** No path, query, body, header or address of the client: any may say who somebody is, or hold a secret. */
export function logAccess(app: FastifyInstance, log: Logger): void {
  app.decorateRequest('by', '');
  app.decorateRequest('scopes');
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    const began = performance.now();
    // Fastify calls `onResponse` only where the client has waited for the answer.
    reply.raw.once('close', () => {
      const { method, id, by } = request;
      const isAnswered = reply.raw.writableFinished;
      const status = isAnswered ? reply.statusCode : clientClosed;
      const line = { request: id, method, route: routeOf(request), status, ...(by && { by }) };
      const ms = Math.round(performance.now() - began);
      log[isRoutine(line.route) ? 'debug' : 'info']({ ...line, ms }, isAnswered ? 'answered' : 'the client hung up');
    });
  });
}
