// The acts about people: what is known about one, who may have been invited, forgetting, and changed addresses.
import { isEmailAddress } from '../core/cells/read-cell.ts';
import { InputError, NotNowError } from '../core/errors.ts';
import { escapeJson } from '../core/text/format.ts';
import { personKey } from '../core/person/member.ts';
import { plain } from '../core/plain.ts';
import { act, type Ask, everyPage } from './act.ts';
import * as shapes from './shapes/requests.ts';
import { movesJson, notReached } from '../report/person/person-words.ts';
import { serviceOf } from './perform.ts';
import { findBaseUrl } from '../../config/load.ts';
import * as jobs from '../../jobs/upkeep/person.ts';
import { parseBaseUrl } from '../service/settings.ts';
import type { Context } from '../wiring/context.ts';

const mostFound = 50;

export const getPerson = act({
  id: 'people.get',
  scope: 'read',
  input: shapes.PersonBody,
  output: shapes.Person,
  async run({ context }, { email }) {
    return jobs.readPerson(context, named(email));
  },
  audit: 'look at a person',
  // An address in a path or a query would be in the logs of every proxy.
  http: { route: 'POST /person', operation: 'getPerson' },
});

export const findPeople = act({
  id: 'people.find',
  scope: 'read',
  input: shapes.FindBody,
  output: shapes.FoundPeople,
  async run({ context: { ledger } }, { text, limit = mostFound }) {
    const people = await ledger.findPeople(text, limit + 1);
    return { people: people.slice(0, limit), isAll: people.length <= limit };
  },
  audit: 'look for people',
  http: { route: 'POST /people', operation: 'findPeople' },
});

export const personFile = act({
  id: 'people.file',
  scope: 'read',
  input: shapes.PersonBody,
  output: ['application/json'],
  async run({ context }, { email }) {
    const person = escapeJson(JSON.stringify(await jobs.readPerson(context, named(email)), undefined, 2));
    async function* parts(): AsyncGenerator<string> {
      yield person;
    }
    return { name: 'person.json', type: 'application/json; charset=utf-8', parts: parts() };
  },
  audit: 'download a person',
  http: { none: 'POST /person answers the same' },
});

export const listInvited = act({
  id: 'people.invited',
  scope: 'read',
  input: shapes.InvitedQuery,
  output: shapes.InvitedPage,
  async run({ context: { ledger } }, { limit, after, since, until }) {
    const filter = {
      ...(since !== undefined && { since: new Date(since) }),
      ...(until !== undefined && { until: new Date(until) }),
    };
    const found = await ledger.listInvited(filter, after, limit);
    const last = found.length === limit ? found.at(-1) : undefined;
    return { invited: plain(found), ...(last && { next: last.id }) };
  },
  audit: 'list who was invited',
  http: { route: 'GET /invited', operation: 'listInvited' },
});

/** Everybody who may have been invited, a page at a time. */
export const everyInvited = (ask: Ask, times: { since?: string; until?: string }) =>
  everyPage((after?: number) => ask(listInvited, { ...times, after: after ?? 0, limit: 1000 }), 'invited');

function named(email: string): string {
  if (isEmailAddress(personKey(email))) return email;
  throw new InputError('Name the person by their e-mail address.');
}

export const resolveMoves = act({
  id: 'people.resolveMoves',
  scope: 'approve',
  input: shapes.MovesBody,
  output: shapes.Moves,
  async run({ context, by, origin }, { decision, moves, run, hash }) {
    if ((moves === undefined) === (run === undefined)) {
      throw new InputError('Say one of `moves` and `run`. Nothing was changed.');
    }
    const of = run ? { runId: run.id } : { pairs: moves ?? [] };
    const question: jobs.MovesToResolve = { decision, service: run?.service ?? serviceOf(context), of };
    const found = await jobs.resolveMoves(context, question, hash === undefined ? undefined : { hash, by, origin });
    if (hash !== undefined && !found.isDone) {
      throw new NotNowError('These are not the moves that were shown: look again. Nothing was changed.', {
        code: 'CHANGED',
      });
    }
    return { ...movesJson(found, question), found };
  },
  audit: { none: 'the job that does it writes who did' },
  http: { route: 'POST /moves', operation: 'resolveMoves' },
});

const audit = { none: 'the job that does it writes who did' };

async function find(context: Context, email: string): Promise<jobs.PersonToForget> {
  const baseUrl = findBaseUrl(context.config);
  return jobs.findPersonToForget(context, email, baseUrl === undefined ? undefined : parseBaseUrl(baseUrl).address);
}

function whatIsNotReached(
  { config, directory }: Context,
  { known }: jobs.PersonToForget,
  of: Pick<jobs.Forgotten, 'left' | 'delivering'>,
): string[] {
  return notReached({ isEmbedded: config.databaseUrl === undefined, known, ...of, folder: directory?.path ?? '' });
}

export const lookToForget = act({
  id: 'people.lookToForget',
  scope: 'approve',
  input: shapes.PersonBody,
  output: shapes.ForgottenPerson,
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
  input: shapes.PersonBody,
  output: shapes.ForgottenPerson,
  async run({ context, by, origin }, { email }) {
    const person = await find(context, email);
    const forgotten = await jobs.forgetPerson(context, person, { by, origin });
    const { services: keptOutOf } = person;
    return { ...forgotten, keptOutOf, notReached: whatIsNotReached(context, person, forgotten) };
  },
  audit,
  // An address in a path or a query would be in the logs of every proxy.
  http: { route: 'POST /person/forget', operation: 'forgetPerson' },
});

export const allowPerson = act({
  id: 'people.allow',
  scope: 'approve',
  input: shapes.PersonBody,
  output: shapes.Allowed,
  run: async ({ context, by, origin }, { email }) => ({
    allowedAt: await jobs.allowAgain(context, email, { by, origin }),
  }),
  audit,
  http: { route: 'POST /person/allow', operation: 'allowPerson' },
});
