import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import helmet from '@fastify/helmet';
import type { Logger } from '../logger.ts';
import { logAccess } from './access-log.ts';
import { registerHealth } from './health.ts';
import { registerHooks } from './hooks/index.ts';
import { checkHosts } from './hosts.ts';
import type { ServerParts } from './parts.ts';
import { answerProblems } from './problems.ts';
import { registerSchedule } from './schedule.ts';

/**
 * Slow clients are cut off: a request must have arrived within half a minute (uploads have longer, see their route), and a
 * connection that says nothing is closed. At the end all connections are closed at once. A request's id is never taken
 * from the client: it stands in the log. Fastify's own log lines would hold paths and queries.
 */
const limits = {
  bodyLimit: 64 * 1024,
  requestTimeout: 30_000,
  connectionTimeout: 60_000,
  keepAliveTimeout: 10_000,
  forceCloseConnections: true,
  logger: false,
  requestIdHeader: false,
  genReqId: () => randomUUID(),
  routerOptions: { maxParamLength: 400 },
} as const satisfies FastifyServerOptions;

/** A server without routes that names its requests, logs, and answers problems. */
export function createBareApp(log: Logger, options: FastifyServerOptions = {}): FastifyInstance {
  const app = fastify({ ...limits, ...options });
  logAccess(app, log);
  answerProblems(app, log);
  return app;
}

/** The HTTP face of `serve`, without a port. Each part is a plugin of its own: what it adds for itself stays with it. */
export async function createApp(parts: ServerParts): Promise<FastifyInstance> {
  const { config, log } = parts.context;
  const app = createBareApp(log, { trustProxy: config.server.trustProxy });
  await app.register(helmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }, hsts: false });
  checkHosts(app, [parts.host, ...config.server.hosts]);
  await app.register(async (health) => registerHealth(health, parts));
  await app.register(async (hooks) => registerHooks(hooks, parts));
  await app.register(async (schedule) => registerSchedule(schedule, parts));
  return app;
}
