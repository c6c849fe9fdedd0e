// Builds the server on the owner's socket: the JSON API, and acts.
import type { FastifyInstance } from 'fastify';
import { actsPath, isBytes } from '../acts/act.ts';
import { askAs } from '../acts/perform.ts';
import { acts } from '../acts/acts.ts';
import { InputError, NotFoundError, RequestError } from '../core/errors.ts';
import { OwnerGoneError } from '../ledger/directory/owner.ts';
import { ownScopes } from '../core/secrets/token.ts';
import { apiPrefix, registerApi } from './api/index.ts';
import { sendBytes } from './api/mount.ts';
import { createBareApp } from './app.ts';
import { makeSignInLink, signInLinkPath } from './page/session.ts';
import { type ApiParts, canStart, type ServerParts } from './parts.ts';

/** The counts of every story, or as many moves as a terminal names. */
const bodyLimit = 64 * 1024 * 1024;

/**
 * What the owner of a data directory answers on its socket: the JSON API, and acts for the commands of a second terminal,
 * which so do exactly what they do without an owner. A process that may open the socket may open the ledger's files as well.
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
    return { link: address + (await makeSignInLink(ledger, name, [...ownScopes])) };
  });

  // So a second terminal learns at once whether anybody is there.
  app.get(actsPath, (_request, reply) => reply.code(204).send());

  app.post(`${actsPath}/:act`, { bodyLimit }, async (request, reply) => {
    const { act: id } = request.params as { act: string };
    const act = acts.find((one) => one.id === id && !one.takesFile && (!one.isOfServer || canStart(parts)));
    if (!act) {
      throw new NotFoundError(
        `Nobody can ask for ${id} here: what owns the ledger is no server, or of another version.`,
      );
    }
    const { by, input } = request.body as { by: string; input: Record<string, unknown> };
    const { context, poke } = parts;
    const asker = { by, origin: '', scopes: ownScopes, context, poke, closing: app.closing };
    const answer = await askAs(asker)(act, input).catch((error: unknown) => {
      // The ledger may be closed meanwhile: whoever asks is to ask again elsewhere.
      throw app.closing.aborted && !(error instanceof InputError) ? new OwnerGoneError(String(error)) : error;
    });
    if (isBytes(answer)) return sendBytes(request, reply, answer);
    return reply.type('application/json').send(JSON.stringify(answer));
  });
  return app;
}
