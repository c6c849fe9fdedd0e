// Looks at what forgetting a person would erase, forgets them, and allows them again: for the API and the pages.
import type { FastifyRequest } from 'fastify';
import { findBaseUrl } from '../../config/load.ts';
import { allowAgain, findPersonToForget, forgetPerson, type Forgotten, type PersonToForget } from '../../jobs/index.ts';
import { notReached } from '../report/person/forgotten-words.ts';
import { parseBaseUrl } from '../service/address.ts';
import { originOf } from './access-log.ts';
import { awaitAnswer } from './bodies.ts';
import type { ApiParts } from './parts.ts';

export interface ForgottenByRequest extends Forgotten {
  notReached: string[];
}

export function forgetting({ context }: Pick<ApiParts, 'context'>) {
  const whoOf = (request: FastifyRequest): { by: string; origin: string } => ({
    by: request.by,
    origin: originOf(request),
  });
  return {
    async find(email: string): Promise<PersonToForget> {
      const baseUrl = findBaseUrl(context.config);
      return findPersonToForget(context, email, baseUrl === undefined ? undefined : parseBaseUrl(baseUrl).address);
    },

    /** Takes a minute or more with a large ledger. */
    async forget(request: FastifyRequest, person: PersonToForget): Promise<ForgottenByRequest> {
      awaitAnswer(request);
      const forgotten = await forgetPerson(context, person, { ...whoOf(request), mayDeliver: true });
      return { ...forgotten, notReached: whatIsNotReached(person, forgotten) };
    },

    notReached: (person: PersonToForget): string[] => whatIsNotReached(person, { left: [] }),

    allow: (request: FastifyRequest, email: string): Promise<number> => allowAgain(context, email, whoOf(request)),
  };

  function whatIsNotReached({ known }: PersonToForget, of: Pick<Forgotten, 'left' | 'delivering'>): string[] {
    const { config, directory } = context;
    return notReached({ isEmbedded: config.databaseUrl === undefined, known, ...of, folder: directory?.path ?? '' });
  }
}
