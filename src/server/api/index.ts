// Registers the JSON API.
import type { FastifyInstance } from 'fastify';
import { escapeJson } from '../../core/text/escape.ts';
import { type ApiParts, canStart } from '../parts.ts';
import { requireTokens, trustEverybody } from './credentials.ts';
import { describeApi, registerDescription } from './openapi.ts';
import { refuseDeepBodies } from './bodies.ts';
import { registerDownloads } from './downloads.ts';
import { registerForgetting } from './forgetting.ts';
import { registerMoves } from './moves.ts';
import { registerPeople } from './people.ts';
import { registerReading } from './reading.ts';
import { registerSourceRoutes } from './sources.ts';
import { registerStarting } from './starting.ts';
import { registerSteering } from './steering.ts';
import { refuseOddTexts } from './texts.ts';
import { registerUploads } from './uploads.ts';
import { registerWatching } from './watching.ts';
import { changeFeedOf } from '../changes.ts';

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
  registerReading(app, parts);
  registerPeople(app, parts);
  registerSourceRoutes(app, parts);
  registerWatching(app, parts, changeFeedOf(app, parts));
  registerDownloads(app, parts);
  registerSteering(app, parts);
  registerForgetting(app, parts);
  registerMoves(app, parts);
  if (!canStart(parts)) return;
  registerStarting(app, parts);
  registerUploads(app, parts);
}
