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
    webhook: secretUrl(['https', 'http']).exactOptional().meta({
      description:
        'The address to post messages to: a webhook of Slack, Teams, Mattermost or the like, or your own program.',
      secret: 'all',
      example: 'https://hooks.example.com/roster-sync',
    }),
    format: wordOf(messageFormats)
      .exactOptional()
      .describe(
        'The form of these messages: `slack` (Block Kit), `teams` (an Adaptive Card), or `json` for programs, with a `text` that Mattermost and others show. Unless set, the host of the address decides.',
      ),
    webhookSecret: anyText()
      .refine(isSigningSecret, { error: 'must be `whsec_` and 24 to 64 random bytes as Base64' })
      .transform((value) => new Secret(value))
      .exactOptional()
      .meta({
        description:
          'Signs those messages according to Standard Webhooks: `whsec_` and 24 to 64 random bytes as Base64.',
        form: 'text',
        secret: 'all',
        example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      }),
    smtp: secretUrl(['smtp', 'smtps']).exactOptional().meta({
      description:
        'The mail server: `smtps://user:password@mail.example:465`, or `smtp://…:587`; with a password, only over TLS.',
      secret: 'address',
      example: 'smtps://robot@mail.example.com:465',
    }),
    from: mailAddress('the sender, an address')
      .exactOptional()
      .meta({ description: 'The sender of those mails.', form: 'e-mail address', example: 'roster-sync@example.com' }),
    to: z
      .array(mailAddress('an address'), { error: 'must be a list of addresses like [it@example.com]' })
      .prefault([])
      .meta({ description: 'Who gets those mails.', form: 'list of e-mail addresses', example: ['it@example.com'] }),
    heartbeat: secretUrl(['https', 'http']).exactOptional().meta({
      description:
        'An address that is called (`POST`) after each run in which everybody was delivered, so that a monitor notices a missing run; `{source}` in it becomes the name of the source.',
      secret: 'all',
      example: 'https://monitor.example.com/ping/{source}',
    }),
    on: z
      .array(wordOf(nameable), {
        error: `must be a list of ${nameable.join(', ')}`,
      })
      .prefault(nameable.filter((event) => event !== 'finished'))
      .meta({
        description: `The events to send by webhook and mail: ${nameable.join(', ')}.`,
        form: 'list of events',
        example: ['held', 'failed'],
      }),
  })
  .prefault({});
export type Notify = z.output<typeof Notify>;
