// The schema of `src/data/webhooks`: how the events of each known HR system are verified and read.
import { z } from 'zod';

const header = (of: string) =>
  z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .describe(`The header of ${of}, in lower case.`);
const path = (to: string) => z.string().describe(`The path of ${to}, like that of a column: data.employeeId.`);

const SignatureScheme = z
  .strictObject({
    by: z.literal('signature'),
    header: header('the signature'),
    prefix: z
      .string()
      .describe('The text before it: `sha256 `, `sha256=`, `v1,`; empty for none. Without it there is no signature.'),
    separator: z.string().exactOptional().describe('What parts several signatures in the header, if it may have them.'),
    algorithm: z.enum(['sha256', 'sha512']).describe('The hash of the HMAC; SHA-1 and MD5 are not taken.'),
    encoding: z.enum(['hex', 'base64', 'base64url']),
    key: z.enum(['text', 'base64']).describe('How the secret gives the key: as it is, or in Base64.'),
    signed: z
      .string()
      .describe('The bytes that are signed: `{body}`, `{timestamp}` and `{id}` stand for what was received.'),
    timestamp: header('the time of sending, in seconds since 1970').exactOptional(),
    toleranceMs: z.number().exactOptional().describe('The most that this time may differ from now, ms.'),
    id: header('the sender’s id for the event').exactOptional(),
  })
  .describe('An HMAC.');

const Scheme = z.discriminatedUnion('by', [
  SignatureScheme,
  z
    .strictObject({ by: z.literal('standard'), headers: z.enum(['webhook', 'svix']) })
    .describe('As Standard Webhooks say, with headers that begin with webhook- or svix-.'),
  z.strictObject({ by: z.literal('bearer') }).describe('A fixed token in Authorization.'),
  z.strictObject({ by: z.literal('path') }).describe('Nothing but the address, whose last part is secret.'),
]);

const EventShape = z
  .strictObject({
    id: z
      .union([z.strictObject({ header: header('the id') }), z.strictObject({ path: path('the id') })])
      .exactOptional()
      .describe('The sender’s id for the event.'),
    kind: z.array(path('the kind')).describe('What has happened, the first of these that is there: employee.updated.'),
    ping: z.array(z.string()).exactOptional().describe('Kinds that say only that the sender is there.'),
    kinds: z.array(z.string()).exactOptional().describe('The only kinds that matter; `*` stands for anything.'),
    employees: z
      .array(path('the ids'))
      .exactOptional()
      .describe('The ids of the people it is about, as the API of the same system has them.'),
    people: z
      .strictObject({
        at: z.string().describe('The person, or the list of them; empty for the event itself.'),
        when: z.string().exactOptional().describe('Only those that have something in this.'),
        needsMapping: z.boolean().exactOptional().describe('Only where the config says how they are read.'),
      })
      .exactOptional()
      .describe('The people themselves.'),
  })
  .describe('Where an event says what.');

export const WebhookPreset = z.strictObject({
  title: z.string().describe('The system, for people.'),
  scheme: Scheme.describe('How a sender proves that an event is its own.'),
  shape: EventShape,
  greeting: z
    .enum(['ping-text', 'verification-token'])
    .exactOptional()
    .describe('What is answered although nobody has proved anything, because the system asks for it; nothing is kept.'),
  notes: z.array(z.string()).describe('What is not known about it, or differs from what you expect; a sentence each.'),
});
export type WebhookPreset = z.output<typeof WebhookPreset>;
