// The schema of `src/data/webhooks`: how the events of each known HR system are verified and read.
import { z } from 'zod';
import { strictObject } from '../described.ts';

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
