// Builds the server of `serve`, plugin by plugin.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import helmet from '@fastify/helmet';
import { RequestError } from '../core/errors.ts';
import type { Logger } from '../process/logger.ts';
import { apiPrefix, registerApi } from './api/index.ts';
import { logAccess } from './access-log.ts';
import { registerHealth } from './readiness.ts';
import { registerHooks } from './hooks/index.ts';
import { closeRefused, hurry } from './bodies.ts';
import { registerMetrics } from './metrics/index.ts';
import { unknownPage } from './page/failures.ts';
import { registerPages } from './page/index.ts';
import { inLanguage, wishedLanguage } from '../page/words.ts';
import { asRequest } from '../ledger/database/reconnect.ts';
import type { ServerParts } from './parts.ts';
import { answerProblems, type AnswerUnknown, refuseUnread, refuseUnrouted } from './problems.ts';
import { registerScim, scimPrefix } from './scim/index.ts';
import { registerSchedule } from './schedule.ts';
import { isIP } from 'node:net';
import { isLoopback } from '../core/host/this-machine.ts';

type Options = FastifyHttpOptions<Server>;

/**
 * Slow clients are cut off: headers must have arrived within 5 s, a request within a quarter of an hour (an upload over a slow
 * line; others take far less, see `hurry`), and a connection that says nothing for a minute is closed. A request's id is
 * never taken from the client: it is in the log. Fastify's own log lines would hold paths and queries.
 */
const limits = {
  bodyLimit: 64 * 1024,
  http: { headersTimeout: 5000, connectionsCheckingInterval: 1000 },
  // That the server is closing is said in our own form.
  return503OnClosing: false,
  clientErrorHandler: refuseUnread,
  frameworkErrors: refuseUnrouted,
  requestTimeout: 15 * 60_000,
  connectionTimeout: 60_000,
  keepAliveTimeout: 10_000,
  forceCloseConnections: 'idle',
  logger: false,
  requestIdHeader: false,
  genReqId: () => randomUUID(),
  // People and identity providers write addresses with a slash at the end.
  routerOptions: { maxParamLength: 400, ignoreTrailingSlash: true },
  // What nobody asked for is a mistake, such as `forceSync`: it is not dropped silently. Nor is `all: 1` taken for `true`.
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
} as const satisfies Options;

/** More are closed as they come. */
const mostConnections = 500;
/** A body must have arrived within this time, ms; but for files. */
const bodyWithinMs = 20_000;
/** At the end answers under way have this long, ms; then their connections are closed. */
const graceMs = 2000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body is a file, which may take minutes to arrive. */
    takesFile?: true;
  }
  interface FastifyInstance {
    /** Aborted once the server begins to close: nothing is left then of what was being planned. */
    closing: AbortSignal;
  }
}

export function createBareApp(log: Logger, options: Options = {}, answerUnknown?: AnswerUnknown): FastifyInstance {
  const app = fastify({ ...limits, ...options });
  app.server.maxConnections = mostConnections;
  logAccess(app, log);
  answerProblems(app, log, answerUnknown);
  closeRefused(app);
  hurry(app, bodyWithinMs);
  closeInTime(app);
  const closing = new AbortController();
  app.decorate('closing', closing.signal);
  app.addHook('preClose', async () =>
    closing.abort(
      new RequestError(503, 'CLOSING', 'The server is stopping, and nothing was sent: try again in a moment.'),
    ),
  );
  app.addHook('onRequest', async () => closing.signal.throwIfAborted());
  return app;
}

/** At the end idle connections are closed at once, the others when they are answered, or when the grace period is over. */
function closeInTime(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}

export async function createApp(parts: ServerParts): Promise<FastifyInstance> {
  const { config, log } = parts.context;
  const app = createBareApp(log, { trustProxy: config.server.trustProxy }, (...asked) => unknownPage(parts, ...asked));
  await app.register(helmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }, hsts: false });
  // A body that arrives ends what the first hook began.
  const begin: onRequestHookHandler = ({ headers }, _reply, done) =>
    asRequest(() => inLanguage(wishedLanguage(headers['accept-language']), done));
  app.addHook('onRequest', begin);
  app.addHook('preValidation', begin);
  checkHosts(app, [parts.host, ...config.server.hosts]);
  await app.register(async (health) => registerHealth(health, parts));
  await app.register(async (metrics) => registerMetrics(metrics, parts, { ledger: true }));
  await app.register(async (api) => registerApi(api, parts, 'tokens'), { prefix: apiPrefix });
  await app.register(async (pages) => registerPages(pages, parts));
  await app.register(async (hooks) => {
    // What is signed may come under any name.
    hooks.addHook('onRoute', (route) => {
      route.config = { ...route.config, anyHost: true };
    });
    await registerHooks(hooks, parts);
  });
  await app.register(async (scim) => registerScim(scim, parts), { prefix: scimPrefix });
  await app.register(async (schedule) => registerSchedule(schedule, parts));
  return app;
}

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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers under any name, and to any page: what is signed, and what says nothing of people or settings. */
    anyHost?: boolean;
  }
}

function nameIn(authority: string): string {
  return URL.parse(`http://${authority}`)?.hostname ?? '';
}

/** A foreign page can point a name of its own at this machine (DNS rebinding), but not an address or a known name. */
function isOurs(name: string, names: ReadonlySet<string>): boolean {
  return isLoopback(name) || isIP(name.replace(/^\[|\]$/g, '')) > 0 || names.has(name);
}

/**
 * Refuses requests under foreign names, and those that a foreign page makes a browser send. An origin is ours when it
 * names the host that was asked.
 * @param hosts the names of this server, besides loopback names and addresses
 */
function checkHosts(app: FastifyInstance, hosts: readonly string[]): void {
  const names = new Set(hosts.map((host) => nameIn(host)));
  const isForeign = ({ headers }: FastifyRequest): string | undefined => {
    const name = nameIn(headers.host ?? '');
    if (!isOurs(name, names)) {
      return 'This server does not answer to that name. Its operator can add the name to server.hosts.';
    }
    const { origin } = headers;
    if (origin === undefined || URL.parse(origin)?.host === URL.parse(`http://${headers.host}`)?.host) return undefined;
    return 'A page of another origin must not call this server.';
  };
  app.addHook('onRequest', async (request) => {
    const refusal = request.routeOptions.config.anyHost === true ? undefined : isForeign(request);
    if (refusal !== undefined) throw new RequestError(403, 'FOREIGN_HOST', refusal);
  });
}
