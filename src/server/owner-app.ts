// Builds the server on the owner's socket: the JSON API, acts, and the verbs of the ledger.
import { serialize } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { isBytes } from '../acts/act.ts';
import { askAs } from '../acts/perform.ts';
import { acts } from '../acts/acts.ts';
import { NotFoundError } from '../core/errors.ts';
import { scopes } from '../core/secrets/token.ts';
import { apiPrefix, registerApi } from './api/index.ts';
import { isRemote } from '../ledger/verbs.ts';
import { sendBytes } from './api/send-file.ts';
import { createBareApp } from './app.ts';
import { makeSignInLink, signInLinkPath } from './page/session.ts';
import { actsPath, ledgerPath, packResult, unpackArguments } from './ledger-calls.ts';
import type { ApiParts, ServerParts } from './parts.ts';
import { RequestError } from './problems.ts';

/** A call of the ledger carries a page of people at most. */
const bodyLimit = 64 * 1024 * 1024;

type Verb = (...given: unknown[]) => Promise<unknown>;

/**
 * What the owner of a data directory answers on its socket: the JSON API, and for the commands of a second terminal acts, and
 * the verbs of the ledger where a command is not made of acts yet. They so do exactly what they do without an owner. A process that may open the socket may open the ledger's
 * files as well.
 */
export async function createOwnerApp(parts: ApiParts | ServerParts): Promise<FastifyInstance> {
  const { ledger, log } = parts.context;
  const app = createBareApp(log);
  await app.register(async (api) => registerApi(api, parts, 'owner'), { prefix: apiPrefix });

  app.post(signInLinkPath, async (request) => {
    const address = 'address' in parts ? parts.address : undefined;
    if (address === undefined) {
      const detail = 'The process that uses the data directory shows no pages. Wait until it has ended, or stop it.';
      throw new RequestError(409, 'NO_PAGES', detail);
    }
    const { name } = request.body as { name: string };
    return { link: address + (await makeSignInLink(ledger, name, [...scopes])) };
  });

  app.post(`${actsPath}/:act`, { bodyLimit }, async (request, reply) => {
    const { act: id } = request.params as { act: string };
    const act = acts.find((one) => one.id === id);
    if (!act) throw new NotFoundError(`Nobody can ask for ${id} here: another version of the program owns the ledger.`);
    const { by, input } = request.body as { by: string; input: Record<string, unknown> };
    const { context, poke } = parts;
    const answer = await askAs({ by, origin: '', scopes, context, poke })(act, input);
    if (isBytes(answer)) return sendBytes(request, reply, answer);
    return reply.type('application/octet-stream').send(serialize(answer));
  });

  app.register(async (calls) => {
    calls.removeAllContentTypeParsers();
    calls.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, bytes, done) => done(null, bytes));
    calls.post(`${ledgerPath}/:verb`, { bodyLimit }, async (request, reply) => {
      const { verb: name } = request.params as { verb: string };
      if (!isRemote(name)) {
        throw new RequestError(
          404,
          'NO_VERB',
          `The ledger cannot ${name} here: another version of the program owns it.`,
        );
      }
      const verb = ledger[name] as Verb;
      const given = Buffer.isBuffer(request.body) ? unpackArguments(request.body) : [];
      return reply.type('application/octet-stream').send(await packResult(() => verb(...given)));
    });
    calls.post('/deliver/:run', async (request, reply) => {
      parts.poke((request.params as { run: string }).run);
      return reply.code(204).send();
    });
  });
  return app;
}
