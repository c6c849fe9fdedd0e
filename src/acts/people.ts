// The acts about people: what is known about one, and who may have been invited.
import { readPerson } from '../../jobs/upkeep/read-person.ts';
import { isEmailAddress } from '../core/cells/email-address.ts';
import { InputError } from '../core/errors.ts';
import { escapeJson } from '../core/text/escape.ts';
import { personKey } from '../core/person/member.ts';
import { plain } from '../core/plain.ts';
import { act, type Ask } from './act.ts';
import { InvitedPage, InvitedQuery, Person, PersonBody } from './shapes/requests.ts';

export const getPerson = act({
  id: 'people.get',
  scope: 'read',
  input: PersonBody,
  output: Person,
  async run({ context }, { email }) {
    return readPerson(context, named(email));
  },
  audit: 'look at a person',
  http: {
    // An address in a path or a query would be in the logs of every proxy.
    route: 'POST /person',
    operation: 'getPerson',
    summary: 'Show what is known about a person',
  },
});

export const personFile = act({
  id: 'people.file',
  scope: 'read',
  input: PersonBody,
  output: ['application/json'],
  async run({ context }, { email }) {
    const person = escapeJson(JSON.stringify(await readPerson(context, named(email)), undefined, 2));
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
  input: InvitedQuery,
  output: InvitedPage,
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
  http: { route: 'GET /invited', operation: 'listInvited', summary: 'List who may have been invited' },
});

/** Everybody who may have been invited, a page at a time. */
export async function* everyInvited(ask: Ask, times: { since?: string; until?: string }) {
  for (let after = 0; ;) {
    const { invited, next } = await ask(listInvited, { ...times, after, limit: 1000 });
    yield* invited;
    if (next === undefined) return;
    after = next;
  }
}

function named(email: string): string {
  if (isEmailAddress(personKey(email))) return email;
  throw new InputError('Name the person by their e-mail address.');
}
