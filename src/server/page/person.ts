// The pages of a person: look somebody up, forget them, let them be sent again, decide about a new address.
import type { FastifyInstance } from 'fastify';
import { allowPerson, forgetPerson, lookToForget, resolveMoves } from '../../acts/people.ts';
import { defined } from '../../core/defined.ts';
import { personKey } from '../../core/person/member.ts';
import { allowedPage, forgetPage, forgetTitle, type ForgetView, forgottenPage } from '../../page/forget.ts';
import { askOf } from '../api/mount.ts';
import { awaitAnswer } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { movesPage, movesTitle } from '../../page/moves.ts';
import { InputError } from '../../core/errors.ts';
import { requireScope } from './session.ts';

type Form = Partial<Record<string, string>>;

/** Only a form with the address typed again erases anything. */
export function registerForgetting(app: FastifyInstance, parts: ServerParts): void {
  app.post('/people/forget', async (request, reply) => {
    const { email = '', confirm } = request.body as Form;
    const ask = askOf(parts, request);
    const { key, known, services, notReached } = await ask(lookToForget, { email });
    const show = (wrong?: NonNullable<ForgetView['confirm']>) => {
      const view = { email: email.trim(), known, services, notReached };
      const body = forgetPage({ ...view, ...defined({ confirm: wrong }) });
      return sendPage(parts, request, reply.code(wrong ? 422 : 200), { title: forgetTitle, place: 'people' }, body);
    };
    if (confirm === undefined) return show();
    if (personKey(confirm) !== key) {
      const typed = confirm.trim().slice(0, 320);
      return show({ typed, problem: typed === '' ? 'Type the address to confirm.' : 'That is another address.' });
    }
    if (known.inTheWay.length > 0 || known.inFlight > 0) return show();
    awaitAnswer(request);
    const { keptOutOf, ...forgotten } = await ask(forgetPerson, { email });
    const body = forgottenPage({ email: email.trim(), services: keptOutOf, ...forgotten });
    return sendPage(parts, request, reply, { title: 'This person is forgotten', place: 'people' }, body);
  });

  app.post('/people/allow', async (request, reply) => {
    const { email = '' } = request.body as Form;
    await askOf(parts, request)(allowPerson, { email });
    return sendPage(parts, request, reply, { title: 'A person', place: 'people' }, allowedPage(email.trim()));
  });
}

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
