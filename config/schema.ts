// Declares every setting once: type, default, environment variable. `reference/*.yaml` describes them.
import { z } from 'zod';
import { Answers } from './schedule-schema.ts';
import { Notify } from './notify-schema.ts';
import { SignIn } from './sign-in-schema.ts';
import { Sources } from './source-schema.ts';
import { type Setting, settingsIn } from './tree.ts';
import {
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
