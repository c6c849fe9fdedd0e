// Answers `/healthz` (alive) and `/readyz` (ready).
import type { FastifyInstance } from 'fastify';
import type { ServerParts } from './parts.ts';

export function registerHealth(app: FastifyInstance, parts: Pick<ServerParts, 'notReady' | 'schedule'>): void {
  app.get('/healthz', { config: { anyHost: true } }, () => ({ status: 'alive' }));
  app.get('/readyz', { config: { anyHost: true } }, async (_request, reply) => {
    const problems = [...(await parts.notReady()), ...(parts.schedule?.problems() ?? [])];
    return reply
      .code(problems.length > 0 ? 503 : 200)
      .send({ status: problems.length > 0 ? 'not ready' : 'ready', problems });
  });
}
