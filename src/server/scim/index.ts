// Registers the SCIM service: who may push to which source, and how errors are answered.
import rateLimit from '@fastify/rate-limit';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeJson } from '../../core/text/format.ts';
import { scimScope } from '../../core/secrets/token.ts';
import { writeError } from '../../core/scim/answer.ts';
import { ScimError } from '../../core/scim/attributes.ts';
import { findGoodToken } from '../api/credentials.ts';
import type { ServerParts } from '../parts.ts';
import { tellProblem } from '../problems.ts';
import { scimRoutes } from './routes.ts';

/** Where the service of each source is. */
export const scimPrefix = '/scim/v2/:source';

/** The most bytes of a request: a group with all of its members. */
const bodyLimit = 16 * 1024 * 1024;
/** More requests than this at once, and the ledger does not keep up: the provider is asked to wait. */
const mostUnderWay = 200;
/** The same for the bytes of those with more than a few, which are held in memory. */
const [mostBytes, fewBytes, unsaidBytes] = [4 * bodyLimit, 256 * 1024, bodyLimit / 4];
const retryAfter = '5';
/** The most failed attempts a minute from one address. */
const failuresAMinute = 60;
const usedEveryMs = 60_000;

const mediaType = 'application/scim+json; charset=utf-8';

export async function registerScim(app: FastifyInstance, { context }: ServerParts): Promise<void> {
  const { config, ledger, log } = context;
  const names = Object.entries(config.sources).flatMap(([name, { scim }]) => (scim ? [name] : []));
  if (names.length === 0) return;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:scim\+)?json\s*(?:;|$)/i,
    { parseAs: 'string', bodyLimit },
    (_request, text, done) => {
      try {
        done(null, text === '' ? undefined : JSON.parse(String(text)));
      } catch {
        done(new ScimError(400, 'The body is not JSON.', 'invalidSyntax'));
      }
    },
  );
  app.setSerializerCompiler(() => (value) => escapeJson(JSON.stringify(value)));
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header('cache-control', 'no-store');
    if (payload !== undefined && payload !== null && payload !== '') reply.type(mediaType);
  });
  answerErrors(app, log);
  await requireToken(app, ledger, new Set(names));
  limitRequests(app);
  scimRoutes(app, {
    ledger,
    baseOf: ({ protocol, host, params }) => `${protocol}://${host}/scim/v2/${(params as { source: string }).source}`,
  });
}

function answerErrors(app: FastifyInstance, log: ServerParts['context']['log']): void {
  app.setErrorHandler(async (error: FastifyError | ScimError, request, reply) => {
    if (error instanceof ScimError) return send(reply, error);
    const { status, detail } = tellProblem(error, request, log);
    // A ledger that is away is there again soon.
    if (status === 503) reply.header('retry-after', retryAfter);
    return send(reply, new ScimError(status, detail));
  });
  app.setNotFoundHandler(async (_request, reply) => send(reply, new ScimError(404, 'There is nothing here.')));
}

async function send(reply: FastifyReply, error: ScimError): Promise<void> {
  await reply
    .code(error.status)
    .serializer((value: unknown) => JSON.stringify(value))
    .send(writeError(error));
}

/** Lets in who shows a token for the source. Okta may send it without `Bearer`. */
async function requireToken(
  app: FastifyInstance,
  ledger: ServerParts['context']['ledger'],
  sources: ReadonlySet<string>,
): Promise<void> {
  await app.register(rateLimit, { global: false });
  const failures = app.createRateLimit({ max: failuresAMinute, timeWindow: '1 minute', keyGenerator: ({ ip }) => ip });
  const used = new Map<string, number>();

  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const limit = await failures(request);
    if (!limit.isAllowed && limit.isExceeded) {
      reply.header('retry-after', String(limit.ttlInSeconds));
      throw new ScimError(429, 'Too many requests with a wrong token.');
    }
    reply.header('www-authenticate', 'Bearer');
    const detail =
      'The token is missing, unknown, revoked, expired, or for another source. Whoever runs the server makes one with the scope scim:SOURCE (docs/scim.md).';
    throw new ScimError(401, detail);
  }

  app.addHook('onRequest', async (request, reply) => {
    const { source } = request.params as { source?: string };
    const text = /^(?:Bearer +)?(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const token = text === undefined ? undefined : await findGoodToken(ledger, text);
    if (!token || source === undefined || !sources.has(source) || !token.scopes.includes(scimScope(source)))
      return refuse(request, reply);
    request.by = `token ${token.name}`;
    const now = Date.now();
    if (now - (used.get(token.id) ?? 0) < usedEveryMs) return;
    used.set(token.id, now);
    await ledger.noteTokenUse(token.id);
  });
}

/** Asks providers to wait while more is under way than the ledger can take. */
function limitRequests(app: FastifyInstance): void {
  let [count, bytes] = [0, 0];
  app.addHook('preParsing', async ({ headers }, reply) => {
    // Most that do not say how long they are, are short. One that is longer than any may be is refused as such.
    const said = Number(headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? 0 : unsaidBytes));
    const own = said > fewBytes ? Math.min(said, bodyLimit) : 0;
    if (count >= mostUnderWay || bytes + own > mostBytes) {
      reply.header('retry-after', retryAfter);
      throw new ScimError(429, `Too many requests, or too large ones, are under way: try again in ${retryAfter} s.`);
    }
    // An answer closes in every case; where the client has hung up it is never finished, and may be closed by now.
    if (reply.raw.closed) return;
    count += 1;
    bytes += own;
    reply.raw.once('close', () => {
      count -= 1;
      bytes -= own;
    });
  });
}
