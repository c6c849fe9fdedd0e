// The schema of an HTTP source.
import { attempt } from '../../core/attempt.ts';
import { z } from 'zod';
import { pointerTo } from '../../core/rows/path.ts';
import { address, count, secretText, text, wordOf } from '../../core/settings/values.ts';
import { bounds, maxBytes } from '../shared-settings.ts';

export const httpDefaults = {
  method: 'GET',
  timeout: 120_000,
  deadline: 3_600_000,
  attempts: 6,
  maxBytes: 2 * 1024 ** 3,
  maxPages: 10_000,
} as const;

/** A text that goes to a server and may be a secret. */
export const namesAndSecrets = (example: Record<string, string>) =>
  z
    .record(text(), secretText(), { error: 'must be names and texts' })
    .meta({ form: 'names and texts', secret: 'all', example });

const OAuth2 = z
  .strictObject({
    tokenUrl: address('https://login.example.com/oauth2/token').describe('The address that gives tokens: `https`.'),
    clientId: text('roster-sync').describe('The client id.'),
    clientSecret: secretText().exactOptional().describe('The client secret; only with `refreshToken` may it lack.'),
    refreshToken: secretText()
      .exactOptional()
      .describe('A refresh token that somebody was given; the newest one is kept, encrypted with this one.'),
    scope: text('people.read').exactOptional().describe('The scopes to ask for, separated by spaces.'),
    audience: text('https://api.example.com').exactOptional().describe('The audience to ask for.'),
    credentials: wordOf(['header', 'body'])
      .prefault('header')
      .describe('Where id and secret go: a Basic header, or fields of the form.'),
  })
  .refine(({ clientSecret, refreshToken }) => clientSecret !== undefined || refreshToken !== undefined, {
    error: 'needs a clientSecret, a refreshToken, or both',
  });

const Auth = z
  .strictObject({
    basic: z
      .strictObject({
        username: text('hr-export').describe('The user name.'),
        password: secretText().describe('The password.'),
      })
      .exactOptional(),
    bearer: secretText().exactOptional().describe('A bearer token.'),
    oauth2: OAuth2.exactOptional(),
  })
  .refine((auth) => Object.keys(auth).length === 1, { error: 'must have exactly one of basic, bearer and oauth2' });

const PageSize = z.strictObject({
  parameter: text('limit').describe('The parameter for the number of people on a page.'),
  count: count(1, 100_000, 200).describe('The number of people on a page.'),
});
const place = () => wordOf(['query', 'body']).exactOptional().describe('Where the parameter goes; `query` unless set.');
const parameter = () => text('page').describe('The parameter for the page.');
/** Where something is in an answer: a path such as `paging.next`, or a JSON pointer. */
const placeText = () =>
  z
    .string({ error: wrongPlace })
    .refine((value) => attempt(() => pointerTo(value)) !== undefined, { error: wrongPlace, abort: true });
const wrongPlace = 'must be a path like data.people, or a JSON pointer like /data/people';
const path = () =>
  placeText().meta({
    description: 'Where it is in the answer: a path such as `paging.next`, or a JSON pointer.',
    form: 'path',
    example: 'paging.next',
  });
const total = () =>
  placeText().exactOptional().meta({
    description: 'The path to the number of people in the answer; if fewer arrive, the run fails.',
    form: 'path',
    example: 'meta.total',
  });

/** The ways to be told which page is wanted; presets have more of `offset`. */
export const pagings = {
  link: z.strictObject({ by: z.literal('link'), total: total() }),
  next: z.strictObject({ by: z.literal('next'), path: path(), total: total() }),
  cursor: z.strictObject({
    by: z.literal('cursor'),
    path: path(),
    parameter: parameter(),
    in: place(),
    total: total(),
  }),
  offset: z.strictObject({
    by: z.literal('offset'),
    parameter: parameter(),
    first: count(0, 1).prefault(0),
    size: PageSize.exactOptional(),
    in: place(),
    total: total(),
  }),
  page: z.strictObject({
    by: z.literal('page'),
    parameter: parameter(),
    first: count(0, 1).prefault(1),
    size: PageSize.exactOptional(),
    in: place(),
    pages: placeText()
      .exactOptional()
      .meta({ description: 'The path to the number of pages.', form: 'path', example: 'meta.pages' }),
    total: total(),
  }),
};

const Paging = z.discriminatedUnion('by', [pagings.link, pagings.next, pagings.cursor, pagings.offset, pagings.page], {
  error: 'must say by: link, next, cursor, offset or page',
});

export const Http = z.strictObject({
  url: address('https://hr.example.com/api/people').describe(
    'The address: `https`; plain `http` on this machine only.',
  ),
  method: wordOf(['GET', 'POST']).prefault(httpDefaults.method).describe('The method of the request.'),
  query: namesAndSecrets({ view: 'active' })
    .exactOptional()
    .describe('Added to the query of the address, which is never shown.'),
  headers: namesAndSecrets({ 'X-Api-Key': '${API_KEY}' }).exactOptional().describe('Headers, such as an API key.'),
  body: z
    .json()
    .exactOptional()
    .meta({ description: 'Sent as JSON.', form: 'anything', example: { status: 'active' } }),
  auth: Auth.exactOptional(),
  records: placeText().transform(pointerTo).exactOptional().meta({
    description: 'Where the list of people is: a path such as `data.people`, or a JSON pointer; detected unless set.',
    form: 'path',
    example: 'data.people',
  }),
  paging: Paging.exactOptional(),
  ...bounds(httpDefaults),
  maxBytes: maxBytes(httpDefaults),
  maxPages: count(1, 1_000_000).prefault(httpDefaults.maxPages).describe('The most pages.'),
});
