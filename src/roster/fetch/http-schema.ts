// The schema of an HTTP source.
import { attempt } from '../../core/attempt.ts';
import { z } from 'zod';
import { pointerTo } from '../../core/rows/path.ts';
import { address, count, secretText, size, text, wordOf } from '../../core/settings/values.ts';
import { bounds } from '../shared-settings.ts';

export const httpDefaults = {
  method: 'GET',
  timeout: 120_000,
  deadline: 3_600_000,
  attempts: 6,
  maxBytes: 2 * 1024 ** 3,
  maxPages: 10_000,
} as const;

/** A text that goes to a server and may be a secret. */
export const namesAndSecrets = () =>
  z.record(text(), secretText(), { error: 'must be names and texts' }).meta({ secret: 'all' });

const OAuth2 = z
  .strictObject({
    tokenUrl: address(),
    clientId: text(),
    clientSecret: secretText().exactOptional(),
    refreshToken: secretText().exactOptional(),
    scope: text().exactOptional(),
    audience: text().exactOptional(),
    credentials: wordOf(['header', 'body']).prefault('header'),
  })
  .refine(({ clientSecret, refreshToken }) => clientSecret !== undefined || refreshToken !== undefined, {
    error: 'needs a clientSecret, a refreshToken, or both',
  });

const Auth = z
  .strictObject({
    basic: z
      .strictObject({
        username: text(),
        password: secretText(),
      })
      .exactOptional(),
    bearer: secretText().exactOptional(),
    oauth2: OAuth2.exactOptional(),
  })
  .refine((auth) => Object.keys(auth).length === 1, { error: 'must have exactly one of basic, bearer and oauth2' });

const PageSize = z.strictObject({
  parameter: text(),
  count: count(1, 100_000),
});
const place = () => wordOf(['query', 'body']).exactOptional();
/** Where something is in an answer: a path such as `paging.next`, or a JSON pointer. */
const placeText = () =>
  z
    .string({ error: wrongPlace })
    .refine((value) => attempt(() => pointerTo(value)) !== undefined, { error: wrongPlace, abort: true });
const wrongPlace = 'must be a path like data.people, or a JSON pointer like /data/people';
const total = () => placeText().exactOptional();

/** The ways to be told which page is wanted; presets have more of `offset`. */
export const pagings = {
  link: z.strictObject({ by: z.literal('link'), total: total() }),
  next: z.strictObject({ by: z.literal('next'), path: placeText(), total: total() }),
  cursor: z.strictObject({
    by: z.literal('cursor'),
    path: placeText(),
    parameter: text(),
    in: place(),
    total: total(),
  }),
  offset: z.strictObject({
    by: z.literal('offset'),
    parameter: text(),
    first: count(0, 1).prefault(0),
    size: PageSize.exactOptional(),
    in: place(),
    total: total(),
  }),
  page: z.strictObject({
    by: z.literal('page'),
    parameter: text(),
    first: count(0, 1).prefault(1),
    size: PageSize.exactOptional(),
    in: place(),
    pages: placeText().exactOptional(),
    total: total(),
  }),
};

const Paging = z.discriminatedUnion('by', [pagings.link, pagings.next, pagings.cursor, pagings.offset, pagings.page], {
  error: 'must say by: link, next, cursor, offset or page',
});

export const Http = z.strictObject({
  url: address(),
  method: wordOf(['GET', 'POST']).prefault(httpDefaults.method),
  query: namesAndSecrets().exactOptional(),
  headers: namesAndSecrets().exactOptional(),
  body: z.json().meta({ secret: 'part' }).exactOptional(),
  auth: Auth.exactOptional(),
  records: placeText().transform(pointerTo).exactOptional(),
  paging: Paging.exactOptional(),
  ...bounds(httpDefaults),
  maxBytes: size().prefault(httpDefaults.maxBytes),
  maxPages: count(1, 1_000_000).prefault(httpDefaults.maxPages),
});
