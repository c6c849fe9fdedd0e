// Declares every setting once: type, default, environment variable. `reference/*.yaml` describes them.
import { z } from 'zod';
import { isLoopback } from '../src/core/host/this-machine.ts';
import { roles } from '../src/core/access/roles.ts';
import { afterHeld, messageFormats, runEvents } from '../src/core/run/notification.ts';
import { Secret } from '../src/core/secrets/secret.ts';
import { Answers } from '../src/core/run/schedule-schema.ts';
import { Sources } from './source-schema.ts';
import { type Setting, settingsIn } from './tree.ts';
import {
  address,
  anyText,
  choice,
  count,
  duration,
  filePath,
  keeping,
  rate,
  secretText,
  secretUrl,
  size,
  text,
  webAddress,
  textUpTo,
  wordOf,
} from '../src/core/settings/values.ts';

const Service = z
  .strictObject({
    baseUrl: webAddress().exactOptional().meta({ form: 'address', variable: 'ROSTER_SYNC_BASE_URL' }),
    token: secretText().exactOptional().meta({ variable: 'ROSTER_SYNC_TOKEN' }),
    username: text().exactOptional(),
    password: secretText().exactOptional(),
    tokenFile: filePath().exactOptional(),
    timeout: duration().prefault('30s'),
  })
  .prefault({});

const Rate = z
  .strictObject({
    limit: count(1).prefault(5),
    per: duration().prefault('1s'),
    and: z.array(rate(), { error: 'must be a list of rates like [300/1m]' }).prefault([]),
    adaptive: choice().prefault(true),
  })
  .prefault({});

const Backoff = z
  .strictObject({
    first: duration().prefault('1s'),
    max: duration().prefault('5m'),
  })
  .prefault({});

const Delivery = z
  .strictObject({
    forceSync: choice().prefault(false),
    invite: choice().prefault(true),
    rate: Rate,
    concurrency: count(1, 1000).prefault(10),
    canary: choice().prefault(true),
    maxInvitations: count(0, 10_000_000).exactOptional(),
    attempts: count(1, 100).prefault(6),
    backoff: Backoff,
    deadline: duration().prefault('12h'),
  })
  .prefault({});

const isPrivate = (value: string): boolean => {
  const url = URL.parse(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
};

const SignIn = z.strictObject({
  name: textUpTo(60).exactOptional(),
  issuer: address().refine((value) => URL.canParse(value) && isPrivate(value), {
    error: 'must be an address like https://login.example.com',
  }),
  clientId: textUpTo(500),
  clientSecret: secretText(),
  scope: textUpTo(500)
    .refine((value) => value.split(/\s+/).includes('openid'), { error: 'must contain openid' })
    .prefault('openid profile email'),
  claim: textUpTo(200).prefault('groups'),
  roles: z
    .record(textUpTo(500), wordOf(roles), {
      error: 'must map values to roles, like { hr-team: approver }',
    })
    .prefault({}),
});
export type SignIn = z.output<typeof SignIn>;

const isPage = (value: string): boolean => {
  const url = URL.parse(value);
  return /^https?:$/.test(url?.protocol ?? '') && url?.username === '' && url.search === '' && url.hash === '';
};

const Server = z
  .strictObject({
    hosts: z.array(text(), { error: 'must be a list of host names like [roster.example.com]' }).prefault([]),
    publicUrl: textUpTo(500)
      .refine(isPage, { error: 'must be an address like https://roster.example.com' })
      .exactOptional()
      .meta({ form: 'address' }),
    uploadLimit: size().prefault('100MB'),
    signIn: SignIn.exactOptional(),
    twoPeople: choice().prefault(false),
    trustProxy: z.array(text(), { error: 'must be a list of addresses like [10.0.0.0/8]' }).prefault([]),
  })
  .prefault({});

const Retention = z
  .strictObject({
    answers: keeping().prefault('30d'),
    rosters: keeping().prefault('90d'),
    receipts: keeping().prefault('400d'),
  })
  .prefault({});

const nameable = runEvents.filter((event) => !afterHeld.includes(event));

/** Standard Webhooks: 24 to 64 random bytes as Base64 behind `whsec_`. */
const isSigningSecret = (value: string): boolean => {
  const bytes = Buffer.from(value.slice('whsec_'.length), 'base64');
  return /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(value) && bytes.length >= 24 && bytes.length <= 64;
};

const mailAddress = (what: string) =>
  textUpTo(300).refine((value) => /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(value), {
    error: `must be ${what} like it@example.com`,
  });

const Notify = z
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

/** Every setting, once. What is parsed has times in ms and secrets as `Secret`. */
export const Settings = z.strictObject({
  service: Service,
  delivery: Delivery,
  sources: Sources.prefault({}),
  server: Server,
  notify: Notify,
  retention: Retention,
  answers: Answers,
  dataDir: filePath().prefault('.roster-sync').meta({ variable: 'ROSTER_SYNC_DATA_DIR' }),
  redisUrl: secretUrl(['redis', 'rediss']).exactOptional().meta({ secret: 'address', variable: 'REDIS_URL' }),
  redisPrefix: text().prefault('roster-sync'),
  databaseUrl: secretUrl(['postgres', 'postgresql'])
    // The driver would take `prefer` for `require`, and `allow` for `disable`.
    .refine((url) => !/[?&]sslmode=(?:prefer|allow)\b/i.test(url.reveal()), {
      error: 'must not leave TLS to chance: write sslmode=verify-full, or sslmode=disable',
    })
    .exactOptional()
    .meta({ secret: 'address', variable: 'DATABASE_URL' }),
});
export type Settings = z.output<typeof Settings>;

export const allSettings: readonly Setting[] = settingsIn(Settings);
