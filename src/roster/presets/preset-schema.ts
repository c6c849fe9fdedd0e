// The schema of `src/data/presets`: how the people of each known HR system are asked for, and become members.
import { attempt } from '../../core/attempt.ts';
import { z } from 'zod';
import { mappingParts } from '../../core/mapping/mapping-schema.ts';
import { described, each, strictObject } from '../../data/described.ts';
import { pagings } from '../fetch/http-schema.ts';

const text = z.string();
const texts = z.record(text, text);

const Parameter = strictObject('PresetParameter', {
  description: text,
  fallback: text.exactOptional(),
  pattern: text
    .refine((value) => attempt(() => new RegExp(value)) !== undefined, { error: 'must be a regular expression' })
    .exactOptional(),
});

const { link, next, cursor, offset, page } = pagings;

const Paging = z.discriminatedUnion('by', [
  link,
  next,
  cursor,
  offset.extend(
    described('PresetOffset', {
      totalHeader: text.exactOptional(),
      links: z.literal(true).exactOptional(),
      key: text.exactOptional(),
    }),
  ),
  page,
]);

const Found = z.strictObject({ path: text, is: text });

const listed = {
  url: text,
  records: text.exactOptional(),
  paging: Paging.exactOptional(),
  headers: texts.exactOptional(),
  ...described('PresetList', { absentWhen: Found.exactOptional() }),
};
const into = text;

const Step = z.discriminatedUnion('do', [
  strictObject('PresetStep.each', { do: z.literal('each'), url: text, records: text, take: z.literal('first'), into }),
  strictObject('PresetStep.batch', {
    do: z.literal('batch'),
    ...each(text, 'url', 'id', 'key', 'records', 'code', 'value', 'into'),
    size: z.number(),
  }),
  strictObject('PresetStep.table', {
    do: z.literal('table'),
    ...listed,
    ...each(text, 'name', 'into'),
    key: z.array(text),
    from: z.union([text, z.array(text)]),
  }),
  strictObject('PresetStep.links', {
    do: z.literal('links'),
    ...listed,
    ...each(text, 'id', 'member', 'group', 'into'),
    groups: strictObject('PresetStep.links.groups', { ...listed, ...each(text, 'key', 'name') }),
  }),
  strictObject('PresetStep.members', {
    do: z.literal('members'),
    ...listed,
    ...each(text, 'id', 'members', 'name', 'into'),
  }),
  strictObject('PresetStep.memberships', {
    do: z.literal('memberships'),
    ...listed,
    ...each(text, 'key', 'name', 'wanted', 'id', 'into'),
    each: strictObject('PresetStep.memberships.each', { ...listed, member: text, only: Found.exactOptional() }),
  }),
  strictObject('PresetStep.names', { do: z.literal('names'), from: z.array(text), into }),
  strictObject('PresetStep.hidden', { do: z.literal('hidden'), in: text, fields: z.array(text), blank: text }),
]);

/** As `HttpAuth`, with templates for texts. */
const Auth = z.strictObject({
  basic: z.strictObject({ username: text, password: text }).exactOptional(),
  bearer: text.exactOptional(),
  oauth2: z
    .strictObject({
      ...each(text, 'tokenUrl', 'clientId', 'clientSecret'),
      ...each(text.exactOptional(), 'scope', 'audience'),
      credentials: z.enum(['header', 'body']),
    })
    .exactOptional(),
  oauth1: z.strictObject({ consumerKey: text, consumerSecret: text }).exactOptional(),
  signed: z
    .strictObject({
      by: z.enum(['client', 'grant']),
      ...each(text, 'tokenUrl', 'key', 'algorithm'),
      ...each(text.exactOptional(), 'issuer', 'subject', 'certificate', 'keyId', 'scope'),
    })
    .exactOptional(),
});

const Request = strictObject('PresetRequest', {
  url: text,
  method: z.enum(['GET', 'POST']),
  headers: texts.exactOptional(),
  body: z.json().exactOptional(),
  records: text.exactOptional(),
  absentWhen: listed.absentWhen,
  paging: Paging.exactOptional(),
  shiftedWhen: z.array(z.strictObject({ status: z.number(), says: text })).exactOptional(),
  busyWhen: z.strictObject({ status: z.number(), path: text, is: z.array(text) }).exactOptional(),
  isRateKept: z.literal(true).exactOptional(),
  steps: z.array(Step).exactOptional(),
  byId: z
    .union([z.strictObject({ body: z.record(text, z.json()) }), z.strictObject({ parameter: text })])
    .exactOptional(),
  auth: z.array(z.strictObject({ needs: z.array(text), auth: Auth, headers: texts.exactOptional() })),
});

/** A way to read one system's people: data for the same engine that reads every other source. */
export const Preset = strictObject('Preset', {
  title: text,
  parameters: z.record(text, Parameter),
  request: Request.exactOptional(),
  rules: z.strictObject(mappingParts),
  optional: z.array(text).exactOptional(),
  ...each(text, 'email', 'active'),
  leavesOut: z.array(text),
});
export type Preset = z.output<typeof Preset>;
export type RequestTemplate = z.output<typeof Request>;
export type AuthTemplate = z.output<typeof Auth>;
export type Step = z.output<typeof Step>;
