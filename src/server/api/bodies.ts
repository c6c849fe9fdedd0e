// Reads JSON bodies and refuses those nested too deeply.
import type { FastifyInstance } from 'fastify';
import { deepestJson, isDeeper } from '../../core/rows/json-depth.ts';
import { RequestError } from '../problems.ts';

export function refuseDeepBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (!isDeeper(text)) return parse(request, text, done);
    const detail = `The values in the body are nested more than ${deepestJson} levels deep.`;
    done(new RequestError(400, 'TOO_DEEP', detail));
  });
}
