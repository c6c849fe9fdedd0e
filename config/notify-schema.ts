// The schema of `notify`: who is notified about runs, and how.
import { z } from 'zod';
import { messageFormats, runEvents } from '../src/core/run/notification.ts';
import { Secret } from '../src/core/secrets/secret.ts';
import { anyText, secretUrl, wordOf, textUpTo } from '../src/core/settings/values.ts';

/** What can be asked for by name; a reminder comes with `held`. */
const nameable = runEvents.filter((event) => event !== 'reminder');

/** Standard Webhooks: 24 to 64 random bytes as Base64 behind `whsec_`. */
const isSigningSecret = (value: string): boolean => {
  const bytes = Buffer.from(value.slice('whsec_'.length), 'base64');
  return /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(value) && bytes.length >= 24 && bytes.length <= 64;
};

const mailAddress = (what: string) =>
  textUpTo(300).refine((value) => /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(value), {
    error: `must be ${what} like it@example.com`,
  });

export const Notify = z
  .strictObject({
    webhook: secretUrl(['https', 'http']).exactOptional().meta({ secret: 'all' }),
    format: wordOf(messageFormats).exactOptional(),
    webhookSecret: anyText()
      .refine(isSigningSecret, { error: 'must be `whsec_` and 24 to 64 random bytes as Base64' })
      .transform((value) => new Secret(value))
      .exactOptional()
      .meta({ secret: 'all' }),
    smtp: secretUrl(['smtp', 'smtps']).exactOptional().meta({ secret: 'address' }),
    from: mailAddress('the sender, an address').exactOptional(),
    to: z.array(mailAddress('an address'), { error: 'must be a list of addresses like [it@example.com]' }).prefault([]),
    heartbeat: secretUrl(['https', 'http']).exactOptional().meta({ secret: 'all' }),
    on: z
      .array(wordOf(nameable), {
        error: `must be a list of ${nameable.join(', ')}`,
      })
      .prefault(nameable.filter((event) => event !== 'finished'))
      .meta({ description: `The events to send by webhook and mail: ${nameable.join(', ')}.` }),
  })
  .prefault({});
export type Notify = z.output<typeof Notify>;
