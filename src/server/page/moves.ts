// Serves the forms that decide about people whose address changed: shows first what happens to it.
import type { FastifyInstance } from 'fastify';
import { movesPage, movesTitle } from '../../page/moves.ts';
import { findRun } from '../../report/run/read-report.ts';
import { movesByRequest } from '../moves.ts';
import type { ServerParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { sendPage } from './answers.ts';
import { requireScope } from './session.ts';

/** Only a form with the hash of what was shown changes anything. */
export function registerMoves(app: FastifyInstance, parts: ServerParts): void {
  app.post('/runs/:run/moves', async (request, reply) => {
    requireScope(request, 'approve');
    const run = await findRun(parts.context, (request.params as { run: string }).run);
    const { decision, old = '', now = '', hash } = request.body as Partial<Record<string, string>>;
    if (decision !== 'renamed-there' && decision !== 'new-account') {
      throw new RequestError(422, 'INPUT', 'Choose what it means. Nothing was changed.');
    }
    const of = old === '' && now === '' ? { run } : { pairs: [{ old, new: now }] };
    const { found } = await movesByRequest(parts, request, { decision, ...of }, hash);
    const body = movesPage({ run: run.id, decision, old, now, found });
    return sendPage(parts, request, reply, { title: movesTitle, place: 'runs' }, body);
  });
}
