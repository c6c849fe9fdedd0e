// Builds and serves the OpenAPI document.
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { readVersion } from '../../process/version.ts';

/** Gathers what the routes that are registered after this say about themselves. */
export async function describeApi(app: FastifyInstance): Promise<void> {
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
export function registerDescription(app: FastifyInstance): void {
  app.get('/openapi.json', { config: { scope: 'none' }, schema: { hide: true } }, () => app.swagger());
}
