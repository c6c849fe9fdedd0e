import fastify, { type FastifyInstance } from 'fastify';

/** What the server needs of its surroundings. */
export interface AppParts {
  /** What is not ready, in a few words each; empty when all is well. */
  notReady(): Promise<string[]>;
}

/** Slow clients and large requests are cut off, at the end at once: nothing here takes a body. */
const limits = { bodyLimit: 1024, requestTimeout: 10_000, connectionTimeout: 10_000, forceCloseConnections: true };

/**
 * The HTTP face of a process that serves, without a port: `/healthz` says that it is alive, `/readyz` that ledger and
 * queue answer. Neither shows anything about people or settings.
 */
export function createApp({ notReady }: AppParts): FastifyInstance {
  const app = fastify({ logger: false, ...limits });
  app.get('/healthz', () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const problems = await notReady();
    return reply
      .code(problems.length > 0 ? 503 : 200)
      .send({ status: problems.length > 0 ? 'not ready' : 'ready', problems });
  });
  return app;
}
