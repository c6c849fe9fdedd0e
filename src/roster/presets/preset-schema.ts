// The schema of `src/data/presets`: how the people of each known HR system are asked for, and become members.
import { attempt } from '../../core/attempt.ts';
import { z } from 'zod';
import { pagings } from '../fetch/http-schema.ts';
import { mappingParts } from '../../core/mapping/mapping-schema.ts';

const path = (to: string) => z.string().describe(`The path of ${to}, like that of a column.`);
const texts = () => z.record(z.string(), z.string());
const into = z.string().describe('The column that has what was found.');

const Parameter = z.strictObject({
  description: z.string().describe('For the documentation and for messages.'),
  fallback: z
    .string()
    .exactOptional()
    .describe('What it is when it is not given; without it, it must be given. May name other parameters.'),
  pattern: z
    .string()
    .refine((value) => attempt(() => new RegExp(value)) !== undefined, { error: 'must be a regular expression' })
    .exactOptional()
    .describe('What it must look like, as a regular expression of JavaScript. Unless set, anything.'),
});

const { link, next, cursor, offset, page } = pagings;

const Paging = z.discriminatedUnion('by', [
  link,
  next,
  cursor,
  offset.extend({
    totalHeader: z.string().exactOptional().describe('A header with the number of people.'),
    links: z
      .literal(true)
      .exactOptional()
      .describe('Where the answer has a Link header, that says which page is next.'),
    key: path('what tells people apart: one who comes twice means that pages moved').exactOptional(),
  }),
  page,
]);

const absentWhen = z
  .strictObject({ path: z.string(), is: z.string() })
  .exactOptional()
  .describe('An answer without a list is one of nobody where this path leads to this text.');

const listed = {
  url: z.string(),
  records: z.string().exactOptional(),
  paging: Paging.exactOptional(),
  headers: texts().exactOptional(),
  absentWhen,
};

const Step = z.discriminatedUnion('do', [
  z
    .strictObject({ do: z.literal('each'), url: z.string(), records: z.string(), take: z.literal('first'), into })
    .describe('One request per person; `{path}` in the address is what the path leads to in the record.'),
  z
    .strictObject({
      do: z.literal('batch'),
      url: z.string(),
      id: path('the id of a person'),
      key: z.string(),
      size: z.number(),
      records: z.string(),
      code: z.string(),
      value: z.string(),
      into,
    })
    .describe(
      'One request for many people: `requests` in the body is a list of `{ [key]: id }`; answers are told apart by the same key, carry a `code` of their own, and hold the person in `value`.',
    ),
  z
    .strictObject({
      do: z.literal('table'),
      ...listed,
      key: z.array(z.string()),
      name: path('the name'),
      from: z.union([z.string(), z.array(z.string())]),
      into,
    })
    .describe('A list of things with names; `from` leads to references, `key` says what both have in common.'),
  z
    .strictObject({
      do: z.literal('links'),
      ...listed,
      id: path('the id of a person'),
      member: path('this id in a link'),
      group: path('the group in a link'),
      groups: z.strictObject({ ...listed, key: path('the key of a group'), name: path('its name') }),
      into,
    })
    .describe('A list of memberships, each with a `member` and a `group`, and the list of those groups.'),
  z
    .strictObject({
      do: z.literal('members'),
      ...listed,
      id: path('the id of a person'),
      members: path('these ids in a group'),
      name: path('the name of a group'),
      into,
    })
    .describe('A list of groups with their members.'),
  z
    .strictObject({
      do: z.literal('memberships'),
      ...listed,
      key: path('the key of a group'),
      name: path('its name'),
      wanted: z.string().describe('Names or ids, separated by `;`, in which `*` stands for any text.'),
      each: z
        .strictObject({
          ...listed,
          member: path('the id of a person'),
          only: z.strictObject({ path: z.string(), is: z.string() }).exactOptional(),
        })
        .describe('`{id}` in its address is the key of the group; only members of whom `only` holds count.'),
      id: path('what of a person is what `each.member` is of a member'),
      into,
    })
    .describe('A list of groups, and for those that are wanted one request or more for their members.'),
  z
    .strictObject({ do: z.literal('names'), from: z.array(z.string()), into })
    .describe('Names that are in the record already.'),
  z
    .strictObject({ do: z.literal('hidden'), in: z.string(), fields: z.array(z.string()), blank: z.string() })
    .describe(
      'Where the list `in` names one of the `fields`, the server has them but does not show them: `blank` is emptied, so that the person is rejected.',
    ),
]);

/** As `HttpAuth`, with templates for texts. */
const Auth = z.strictObject({
  basic: z.strictObject({ username: z.string(), password: z.string() }).exactOptional(),
  bearer: z.string().exactOptional(),
  oauth2: z
    .strictObject({
      tokenUrl: z.string(),
      clientId: z.string(),
      clientSecret: z.string(),
      scope: z.string().exactOptional(),
      audience: z.string().exactOptional(),
      credentials: z.enum(['header', 'body']),
    })
    .exactOptional(),
  oauth1: z.strictObject({ consumerKey: z.string(), consumerSecret: z.string() }).exactOptional(),
  signed: z
    .strictObject({
      by: z.enum(['client', 'grant']),
      tokenUrl: z.string(),
      key: z.string(),
      algorithm: z.string(),
      issuer: z.string().exactOptional(),
      subject: z.string().exactOptional(),
      certificate: z.string().exactOptional(),
      keyId: z.string().exactOptional(),
      scope: z.string().exactOptional(),
    })
    .exactOptional(),
});

const Request = z
  .strictObject({
    url: z.string(),
    method: z.enum(['GET', 'POST']),
    headers: texts().exactOptional(),
    body: z.json().exactOptional().describe('Sent as JSON.'),
    records: z.string().exactOptional().describe('The JSON pointer of the people.'),
    absentWhen,
    paging: Paging.exactOptional(),
    shiftedWhen: z
      .array(z.strictObject({ status: z.number(), says: z.string() }))
      .exactOptional()
      .describe('Answers by which all pages must be read again.'),
    busyWhen: z
      .strictObject({ status: z.number(), path: z.string(), is: z.array(z.string()) })
      .exactOptional()
      .describe('A refusal that may pass, told by what the path leads to in its JSON.'),
    isRateKept: z
      .literal(true)
      .exactOptional()
      .describe('The headers x-rate-limit-remaining and x-rate-limit-reset are kept to.'),
    steps: z.array(Step).exactOptional().describe('What is fetched in addition to the people.'),
    byId: z
      .union([z.strictObject({ body: z.record(z.string(), z.json()) }), z.strictObject({ parameter: z.string() })])
      .exactOptional()
      .describe(
        'How only some people are asked for, by the ids that events have: keys of the body, in which `{ids}` in a list stands for them, or a parameter of the query, once for each.',
      ),
    auth: z
      .array(z.strictObject({ needs: z.array(z.string()), auth: Auth, headers: texts().exactOptional() }))
      .describe('Ways to authenticate: the first of which all parameters are given.'),
  })
  .describe(
    'For an API. In every text `{name}` stands for a parameter, URL-encoded in an address; in a list, an entry that is only such a parameter stands for the names in it, separated by commas.',
  );

/** A way to read one system's people: data for the same engine that reads every other source. */
export const Preset = z.strictObject({
  title: z.string().describe('What it reads, for people.'),
  parameters: z.record(z.string(), Parameter).describe('What it must or may be told under `account`.'),
  request: Request.exactOptional(),
  rules: z.strictObject(mappingParts).describe('How its rows become members, where the config says nothing else.'),
  optional: z
    .array(z.string())
    .exactOptional()
    .describe('Columns of `rules` that not every export has; what asks about them is left out then.'),
  email: z.string().describe('Which e-mail it takes, and why not the others.'),
  active: z.string().describe('Which statuses count as active.'),
  leavesOut: z
    .array(z.string())
    .describe('What it does not show, or shows differently than you expect; a sentence each.'),
});
export type Preset = z.output<typeof Preset>;
export type RequestTemplate = z.output<typeof Request>;
export type AuthTemplate = z.output<typeof Auth>;
export type Step = z.output<typeof Step>;
