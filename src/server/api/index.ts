// Registers the JSON API and its description; refuses bodies nested too deeply and texts that no ledger stores.
import type { FastifyInstance } from 'fastify';
import swagger from '@fastify/swagger';
import { RequestError } from '../../core/errors.ts';
import { acts } from '../../acts/acts.ts';
import { deepestJson, isDeeper } from '../../core/rows/flatten.ts';
import { escapeJson } from '../../core/text/format.ts';
import type { ApiParts } from '../parts.ts';
import { requireTokens, trustEverybody } from './credentials.ts';
import { mountActs } from './mount.ts';
import { readVersion } from '../../process/version.ts';

export const apiPrefix = '/api/v1';

/** `access`: tokens are required, or all who reach the socket are trusted. Schemas check; they do not shape. */
export async function registerApi(app: FastifyInstance, parts: ApiParts, access: 'tokens' | 'owner'): Promise<void> {
  await describeApi(app);
  refuseDeepBodies(app);
  refuseOddTexts(app);
  app.setSerializerCompiler(() => (value) => escapeJson(JSON.stringify(value)));
  if (access === 'tokens') await requireTokens(app, parts.context.ledger);
  else trustEverybody(app);
  registerDescription(app);
  mountActs(app, parts, acts);
}

function refuseDeepBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (!isDeeper(text)) return parse(request, text, done);
    const detail = `The values in the body are nested more than ${deepestJson} levels deep.`;
    done(new RequestError(400, 'TOO_DEEP', detail));
  });
}

/** Whether a text can be kept: PostgreSQL has no NUL, and half of a surrogate pair is no character. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether all texts of a value can be kept. The value is as deep as the parser of bodies lets it be. */
function areStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && areStorable(inner));
}

/** Refuses texts that no ledger can keep or look for, in paths, queries and bodies. */
function refuseOddTexts(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ params, query, body, routeOptions }) => {
    const isText = routeOptions.config.takesFile !== true;
    if ([params, query, ...(isText ? [body] : [])].every(areStorable)) return;
    throw new RequestError(400, 'TEXT', 'A text in it has a NUL or half of a surrogate pair: send it without.');
  });
}

/** Gathers what the routes that are registered after this say about themselves. */
async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'roster-sync',
        version: readVersion(),
        description:
          'Starts, shows, approves, stops and resumes runs. Errors are RFC 9457 problems with a stable code.',
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'Whoever runs the server makes one: docs/api.md.',
          },
        },
      },
    },
  });
}

/** Serves the document. It says nothing about people or settings, so nobody has to show a token. */
function registerDescription(app: FastifyInstance): void {
  app.get('/openapi.json', { config: { scope: 'none' }, schema: { hide: true } }, () => app.swagger());
}
