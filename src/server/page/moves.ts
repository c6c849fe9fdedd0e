// Serves the forms that decide about people whose address changed: shows first what happens to it.
import type { FastifyInstance } from 'fastify';
import { movesPage, movesTitle } from '../../page/moves.ts';
import { resolveMoves } from '../../acts/people.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { askOf } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { requireScope } from './session.ts';

/** Only a form with the hash of what was shown changes anything. */
export function registerMoves(app: FastifyInstance, parts: ServerParts): void {
  app.post('/runs/:run/moves', async (request, reply) => {
    requireScope(request, 'approve');
    const { run } = request.params as { run: string };
    const { decision, old = '', now = '', hash } = request.body as Partial<Record<string, string>>;
    if (decision !== 'renamed-there' && decision !== 'new-account') {
      throw new InputError('Choose what it means. Nothing was changed.');
    }
    const of = old === '' && now === '' ? { run } : { moves: [{ old, new: now }] };
    const { found } = await askOf(parts, request)(resolveMoves, { decision, ...of, ...defined({ hash }) });
    const body = movesPage({ run, decision, old, now, found });
    return sendPage(parts, request, reply, { title: movesTitle, place: 'runs' }, body);
  });
}
