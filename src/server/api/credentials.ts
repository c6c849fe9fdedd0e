// Checks API tokens and scopes, and limits failed attempts.
import { RequestError } from '../../core/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import rateLimit from '@fastify/rate-limit';
import { hashToken, matchesHash, readToken, type Scope, scopes } from '../../core/secrets/token.ts';
import type { Token } from '../../ledger/access/tokens.ts';
import type { Ledger } from '../../ledger/ledger.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a token must be allowed to do; `none` for what anybody may see. Every route of the API says it. */
    scope?: Scope | 'none';
  }
}

/** Requests a minute of one token; a page that shows a run asks once a second. */
const requestsAMinute = 600;
/** The most failed attempts a minute from one address; they do not hold up clients with a good token. */
const failuresAMinute = 60;

/** A hash that no token has, so that an unknown id takes as long as a known one. */
const nobodys = hashToken('');

/** The token that a client sent, if it is known, right, and neither revoked nor expired. */
export async function findGoodToken(ledger: Pick<Ledger, 'findToken'>, text: string): Promise<Token | undefined> {
  const parts = readToken(text);
  const token = parts && (await ledger.findToken(parts.id));
  const isRight = matchesHash(parts?.secret ?? '', token?.hash ?? nobodys);
  if (!token || !isRight || token.revokedAt) return undefined;
  return token.expiresAt && token.expiresAt.getTime() <= Date.now() ? undefined : token;
}

const howToAsk = 'Send a token as `Authorization: Bearer rstk_…`; whoever runs the server makes one (docs/api.md).';

function tokenIn(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** Lets only those in who show a token with the scope of the route. */
export async function requireTokens(app: FastifyInstance, ledger: Ledger): Promise<void> {
  await app.register(rateLimit, { global: false });
  const timeWindow = '1 minute';
  const requests = app.createRateLimit({ max: requestsAMinute, timeWindow, keyGenerator: ({ by }) => by });
  const failures = app.createRateLimit({ max: failuresAMinute, timeWindow, keyGenerator: ({ ip }) => ip });
  requireScopes(app);

  async function refuse(request: FastifyRequest, detail: string): Promise<never> {
    const limit = await failures(request);
    if (!limit.isAllowed && limit.isExceeded) throw tooMany(limit.ttlInSeconds);
    throw new RequestError(401, 'UNAUTHORIZED', detail);
  }

  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request.routeOptions.config;
    if (scope === 'none') return;
    reply.header('cache-control', 'no-store');
    const text = tokenIn(request);
    if (text === undefined) {
      reply.header('www-authenticate', 'Bearer');
      return refuse(request, howToAsk);
    }
    const token = await findGoodToken(ledger, text);
    if (!token) {
      reply.header('www-authenticate', 'Bearer error="invalid_token"');
      return refuse(request, `The token is unknown, revoked or expired. ${howToAsk}`);
    }
    request.by = `token ${token.name}`;
    request.scopes = token.scopes;
    const limit = await requests(request);
    if (!limit.isAllowed && limit.isExceeded) throw tooMany(limit.ttlInSeconds);
    await ledger.noteTokenUse(token.id);
    if (scope === undefined || !request.scopes.includes(scope)) {
      throw new RequestError(403, 'FORBIDDEN', `The token ${token.name} does not have the scope ${scope}.`);
    }
  });
}

/** Everybody who reaches the socket may do everything: its file's permissions are the credential. */
export function trustEverybody(app: FastifyInstance): void {
  requireScopes(app);
  app.addHook('onRequest', async (request) => {
    request.by = 'the owner of the data directory';
    request.scopes = scopes;
  });
}

/** A route whose scope was forgotten must not come into being. */
function requireScopes(app: FastifyInstance): void {
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.scope === undefined) throw new Error(`the route ${url} does not say which scope it needs`);
  });
}

function tooMany(seconds: number): RequestError {
  return new RequestError(429, 'TOO_MANY_REQUESTS', `Too many requests: wait ${seconds} s.`);
}
