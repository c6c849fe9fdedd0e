// Builds the server of `worker`: health and metrics of this process.
import type { FastifyInstance } from 'fastify';
import { createBareApp } from './app.ts';
import { registerHealth } from './health.ts';
import { checkHosts } from './hosts.ts';
import { registerMetrics } from './metrics/index.ts';
import type { ServerParts } from './parts.ts';

/** The figures of the ledger are those of `serve`: workers would repeat them. */
export async function createWorkerApp(
  parts: Pick<ServerParts, 'context' | 'notReady' | 'host'>,
): Promise<FastifyInstance> {
  const { config, log } = parts.context;
  const app = createBareApp(log);
  checkHosts(app, [parts.host, ...config.server.hosts]);
  registerHealth(app, parts);
  registerMetrics(app, parts, { ledger: false });
  return app;
}
