// The API routes that forget a person, and let them be sent again.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { forgetting } from '../forgetting.ts';
import type { ApiParts } from '../parts.ts';
import { facts } from './routes.ts';
import { Allowed, ForgottenPerson, PersonBody } from '../../acts/shapes/requests.ts';

/** An address in a path or a query would be in the logs of every proxy: it is in the body. */
export function registerForgetting(app: FastifyInstance, parts: ApiParts): void {
  const people = forgetting(parts);

  app.post(
    '/person/forget',
    facts({
      scope: 'approve',
      id: 'forgetPerson',
      summary: 'Forget a person',
      description:
        'Erases everything that is kept about them, and keeps them out of later rosters. It cannot be undone. They stay ' +
        'in the service. With a large ledger this takes minutes.',
      body: PersonBody,
      answer: ForgottenPerson,
    }),
    async (request) => {
      const person = await people.find((request.body as z.output<typeof PersonBody>).email);
      const { erased, notReached } = await people.forget(request, person);
      const { runsWithRejects: _, ...counts } = erased;
      return { erased: counts, keptOutOf: person.services, notReached };
    },
  );

  app.post(
    '/person/allow',
    facts({
      scope: 'approve',
      id: 'allowPerson',
      summary: 'Let a forgotten person be sent again',
      description: 'What was erased stays erased: the next roster that names them treats them as new.',
      body: PersonBody,
      answer: Allowed,
    }),
    async (request) => ({
      allowedAt: await people.allow(request, (request.body as z.output<typeof PersonBody>).email),
    }),
  );
}
