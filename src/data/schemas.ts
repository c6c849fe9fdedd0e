// What the files of src/data say, kind by kind: commands, languages, lists, SCIM, webhooks.
import { z } from 'zod';
import { strictObject, described, each, wordsOf } from './described.ts';

const completed = [
  ...(['actions', 'answerFormats', 'completion', 'formats', 'guards', 'kinds', 'roles', 'scopes', 'sources'] as const),
  'splits',
] as const;

export const Flag = strictObject('Flag', {
  says: z.string(),
  default: z.string().exactOptional(),
  isRequired: z.literal(true).exactOptional(),
  as: z.enum(['list', 'columns', 'groups']).exactOptional(),
  of: z.enum(completed).exactOptional(),
});
export type Flag = z.infer<typeof Flag>;

const Flags = z.array(z.union([z.string(), z.record(z.string(), z.union([z.string(), Flag]))]));
export type Flags = z.infer<typeof Flags>;

const Command = strictObject('Command', {
  says: z.string(),
  does: z.string().exactOptional(),
  arguments: z.record(z.string(), z.string()).exactOptional(),
  options: Flags.exactOptional(),
  json: z.string().exactOptional(),
  examples: z.string().exactOptional(),
  below: z.string().exactOptional(),
});
export type Command = z.infer<typeof Command>;

const Shared = z.record(
  z.string(),
  strictObject('SharedFlags', { heading: z.string().exactOptional(), options: Flags }),
);
export type Shared = z.infer<typeof Shared>;

export const Commands = strictObject('Commands', {
  heading: z.string().exactOptional(),
  commands: z.record(z.string(), Command).exactOptional(),
  shared: Shared.exactOptional(),
});
export type Commands = z.infer<typeof Commands>;

/** Words with commas between them. */
const words = z.string().regex(/[^\s,]/);

const meanings = described('Meaning', {
  ...each(words, 'firstname', 'lastname', 'fullname', 'lastnamePrefix', 'email', 'login', 'telephone', 'employeeId'),
  ...each(words, 'startDate', 'endDate', 'status', 'gone', 'group', 'department', 'team', 'unit', 'site', 'class'),
  ...each(words, 'position', 'employer'),
});

export type Meaning = keyof typeof meanings;

/** What not every language has a word for. */
const rare = { firstname: true, lastnamePrefix: true, login: true, gone: true, unit: true, class: true } as const;

/** A heading stands where it can be nothing else in any language; else under `unsure`, to be offered. */
export const Language = strictObject('Language', {
  ...z.strictObject(meanings).partial({ ...rare, employer: true }).shape,
  ...each(words.optional(), 'callname', 'firstnameBeside', 'lastnameBeside', 'lastNameFirst', 'mailAliases'),
  ...each(words.optional(), 'workPhone', 'mobile', 'personId', 'persons', 'work', 'notOurs'),
  unsure: z.strictObject(meanings).partial().optional(),
  statuses: strictObject('Language.statuses', each(words, 'active', 'leave', 'ended', 'future')),
  ...each(words.optional(), 'people', 'notGone', 'noEnd', 'noValueOrName', 'noValueInBrackets', 'excelErrors'),
  ...each(words.optional(), 'surelyNobody', 'namePrefixes', 'nameSuffixes', 'nameTitles', 'extensions'),
  ...each(words.optional(), 'starts', 'ends', 'ofWork', 'actions', 'removals'),
  ...each(words, 'yes', 'no', 'noValue', 'nobody'),
  mailboxes: words.regex(/^\D*$/, 'without digits').optional(),
});
export type Language = z.infer<typeof Language>;

export const List = strictObject('List', { words: z.string().regex(/[^\s,]/) });
export type List = z.infer<typeof List>;

export const Sentences = z.record(z.string(), z.string()).describe(wordsOf('Sentences')['self'] ?? '');
export type Sentences = z.infer<typeof Sentences>;

export const PageLanguage = z.record(z.string(), z.string()).describe(wordsOf('PageLanguage')['self'] ?? '');

export const Table = strictObject('Table', { what: z.string(), headings: z.string() });
export type Table = z.infer<typeof Table>;

export const Encodings = z.record(
  z.string(),
  strictObject('Encoding', {
    rarity: z.number(),
    home: z.enum(['west', 'centre', 'baltic', 'turkey']).exactOptional(),
  }),
);
export type Encodings = z.infer<typeof Encodings>;

export const LetterPairs = z.record(
  z.string(),
  strictObject('LetterPairs', { letters: z.string(), square: z.string().regex(/^[0-9a-z]+$/) }),
);
export type LetterPairs = z.infer<typeof LetterPairs>;

const Attribute = z.strictObject({
  type: z.enum(['boolean', 'reference']).exactOptional().describe('Unless said, a text, or what has parts.'),
  multi: z.literal(true).exactOptional(),
  exact: z.literal(true).exactOptional().describe('Only the exact letters count: ids.'),
  fixed: z.literal(true).exactOptional().describe('It is answered, and requests do not change it.'),
  leadsTo: z
    .array(z.enum(['User', 'Group', 'external']))
    .exactOptional()
    .describe('Kinds of ours; `external` is any other address.'),
  description: z.string(),
  get parts() {
    return Attributes.exactOptional();
  },
});
export type ScimAttribute = z.infer<typeof Attribute>;

/** By name; where only a text is said, it is the description of a text. */
const Attributes = z.record(z.string(), z.union([z.string(), Attribute]));

export const ScimSchema = z.strictObject({
  id: z.string().describe('The urn; empty where it is no schema.'),
  name: z.string(),
  attributes: Attributes,
});
export type ScimSchema = z.infer<typeof ScimSchema>;

const header = z.string().regex(/^[a-z0-9-]+$/);
const path = z.string();

const Scheme = z.discriminatedUnion('by', [
  strictObject('WebhookScheme.signature', {
    by: z.literal('signature'),
    header,
    prefix: z.string(),
    separator: z.string().exactOptional(),
    algorithm: z.enum(['sha256', 'sha512']),
    encoding: z.enum(['hex', 'base64', 'base64url']),
    key: z.enum(['text', 'base64']),
    signed: z.string(),
    timestamp: header.exactOptional(),
    toleranceMs: z.number().exactOptional(),
    id: header.exactOptional(),
  }),
  strictObject('WebhookScheme.standard', { by: z.literal('standard'), headers: z.enum(['webhook', 'svix']) }),
  strictObject('WebhookScheme.bearer', { by: z.literal('bearer') }),
  strictObject('WebhookScheme.path', { by: z.literal('path') }),
]);

const EventShape = strictObject('WebhookEvent', {
  id: z.union([z.strictObject({ header }), z.strictObject({ path })]).exactOptional(),
  kind: z.array(path),
  ping: z.array(z.string()).exactOptional(),
  kinds: z.array(z.string()).exactOptional(),
  employees: z.array(path).exactOptional(),
  people: strictObject('WebhookEvent.people', {
    at: z.string(),
    when: z.string().exactOptional(),
    needsMapping: z.boolean().exactOptional(),
  }).exactOptional(),
});

export const WebhookPreset = strictObject('WebhookPreset', {
  title: z.string(),
  scheme: Scheme,
  shape: EventShape,
  greeting: z.enum(['ping-text', 'verification-token']).exactOptional(),
  notes: z.array(z.string()),
});
export type WebhookPreset = z.output<typeof WebhookPreset>;
