// Serves the forms that forget a person and let them be sent again.
import type { FastifyInstance } from 'fastify';
import { defined } from '../../core/defined.ts';
import { personKey } from '../../core/person/member.ts';
import { allowedPage, forgetPage, forgetTitle, type ForgetView, forgottenPage } from '../../page/forget.ts';
import { forgetting } from '../forgetting.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { requireScope } from './session.ts';

type Form = Partial<Record<string, string>>;

/** Only a form with the address typed again erases anything. */
export function registerForgetting(app: FastifyInstance, parts: ServerParts): void {
  const people = forgetting(parts);

  app.post('/people/forget', async (request, reply) => {
    requireScope(request, 'approve');
    const { email = '', confirm } = request.body as Form;
    const person = await people.find(email);
    const { known, services } = person;
    const ask = (wrong?: NonNullable<ForgetView['confirm']>) => {
      const view = { email: email.trim(), known, services, notReached: people.notReached(person) };
      const body = forgetPage({ ...view, ...defined({ confirm: wrong }) });
      return sendPage(parts, request, reply.code(wrong ? 422 : 200), { title: forgetTitle, place: 'people' }, body);
    };
    if (confirm === undefined) return ask();
    if (personKey(confirm) !== person.key) {
      const typed = confirm.trim().slice(0, 320);
      return ask({ typed, problem: typed === '' ? 'Type the address to confirm.' : 'That is another address.' });
    }
    if (known.inTheWay.length > 0 || known.inFlight > 0) return ask();
    const { erased, left, notReached } = await people.forget(request, person);
    const body = forgottenPage({ email: email.trim(), services, erased, left, notReached });
    return sendPage(parts, request, reply, { title: 'This person is forgotten', place: 'people' }, body);
  });

  app.post('/people/allow', async (request, reply) => {
    requireScope(request, 'approve');
    const { email = '' } = request.body as Form;
    await people.allow(request, email);
    return sendPage(parts, request, reply, { title: 'A person', place: 'people' }, allowedPage(email.trim()));
  });
}
