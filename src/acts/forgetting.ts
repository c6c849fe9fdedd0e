// The acts that forget a person, and let them be sent again.
import { findBaseUrl } from '../../config/load.ts';
import {
  allowAgain,
  findPersonToForget,
  forgetPerson as forget,
  type Forgotten,
  type PersonToForget,
} from '../../jobs/upkeep/forget-person.ts';
import { notReached } from '../report/person/forgotten-words.ts';
import { parseBaseUrl } from '../service/settings.ts';
import type { Context } from '../wiring/context.ts';
import { act } from './act.ts';
import { Allowed, ForgottenPerson, PersonBody } from './shapes/requests.ts';

const audit = { none: 'the job that does it writes who did' };

async function find(context: Context, email: string): Promise<PersonToForget> {
  const baseUrl = findBaseUrl(context.config);
  return findPersonToForget(context, email, baseUrl === undefined ? undefined : parseBaseUrl(baseUrl).address);
}

function whatIsNotReached(
  { config, directory }: Context,
  { known }: PersonToForget,
  of: Pick<Forgotten, 'left' | 'delivering'>,
): string[] {
  return notReached({ isEmbedded: config.databaseUrl === undefined, known, ...of, folder: directory?.path ?? '' });
}

export const lookToForget = act({
  id: 'people.lookToForget',
  scope: 'approve',
  input: PersonBody,
  output: ForgottenPerson,
  async run({ context }, { email }) {
    const person = await find(context, email);
    return { ...person, notReached: whatIsNotReached(context, person, { left: [] }) };
  },
  audit: { none: 'it is asked before each forgetting, and shows counts only' },
  http: { none: 'only a page or a terminal asks before it forgets' },
});

export const forgetPerson = act({
  id: 'people.forget',
  scope: 'approve',
  isLong: true,
  input: PersonBody,
  output: ForgottenPerson,
  async run({ context, by, origin }, { email }) {
    const person = await find(context, email);
    const forgotten = await forget(context, person, { by, origin });
    const { services: keptOutOf } = person;
    return { ...forgotten, keptOutOf, notReached: whatIsNotReached(context, person, forgotten) };
  },
  audit,
  http: {
    // An address in a path or a query would be in the logs of every proxy.
    route: 'POST /person/forget',
    operation: 'forgetPerson',
    summary: 'Forget a person',
    description:
      'Erases everything that is kept about them, and keeps them out of later rosters. It cannot be undone. They stay ' +
      'in the service. With a large ledger this takes minutes.',
  },
});

export const allowPerson = act({
  id: 'people.allow',
  scope: 'approve',
  input: PersonBody,
  output: Allowed,
  run: async ({ context, by, origin }, { email }) => ({ allowedAt: await allowAgain(context, email, { by, origin }) }),
  audit,
  http: {
    route: 'POST /person/allow',
    operation: 'allowPerson',
    summary: 'Let a forgotten person be sent again',
    description: 'What was erased stays erased: the next roster that names them treats them as new.',
  },
});
