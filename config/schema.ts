// Declares every setting once: type, default, environment variable, description.
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
    baseUrl: webAddress().exactOptional().meta({
      description: 'Where the service is: `https`, with a path if it has one; plain `http` on this machine only.',
      form: 'address',
      example: 'https://api.example.com',
      variable: 'ROSTER_SYNC_BASE_URL',
    }),
    token: secretText().exactOptional().meta({
      description: 'The Base64 token of the service. Instead of it: `username` and `password`, or `tokenFile`.',
      variable: 'ROSTER_SYNC_TOKEN',
    }),
    username: text('hr-export')
      .exactOptional()
      .describe('The user name from which the token is made, together with `password`.'),
    password: secretText()
      .exactOptional()
      .describe('The password from which the token is made, together with `username`.'),
    tokenFile: filePath('/run/secrets/roster-sync-token')
      .exactOptional()
      .describe('A file that holds the token; it is read again when the service refuses the token.'),
    timeout: duration().prefault('30s').describe('The longest time for one call.'),
  })
  .prefault({});

const Rate = z
  .strictObject({
    limit: count(1).prefault(5).describe('The most calls in any window of `per`, over all runs and workers.'),
    per: duration().prefault('1s').describe('The length of that window.'),
    and: z
      .array(rate(), { error: 'must be a list of rates like [300/1m]' })
      .prefault([])
      .meta({
        description: 'Further rates that apply too.',
        example: ['300/1m'],
        form: 'list of rates',
      }),
    adaptive: choice()
      .prefault(true)
      .describe(
        'Lowers the rate when the service is rate-limiting us without naming a time, or fails more often. Raises it again when calls succeed.',
      ),
  })
  .prefault({});

const Backoff = z
  .strictObject({
    first: duration()
      .prefault('1s')
      .describe('The longest wait before the second attempt; it doubles with each further attempt.'),
    max: duration().prefault('5m').describe('The longest wait before any attempt.'),
  })
  .prefault({});

const Delivery = z
  .strictObject({
    forceSync: choice()
      .prefault(false)
      .describe(
        'Lets the service take people out of groups that the roster does not name, even groups assigned by hand.',
      ),
    invite: choice().prefault(true).describe('Lets the service invite people it does not know yet.'),
    rate: Rate,
    concurrency: count(1, 1000).prefault(10).describe('The most calls in flight at one time in one process.'),
    canary: choice()
      .prefault(true)
      .describe(
        'Sends a run of 50 calls or more carefully: first one person of each set of groups, up to ten, then a tenth, then all. ' +
          'Between these stages it pauses if the answers hold anything not seen before.',
      ),
    maxInvitations: count(0, 10_000_000, 50)
      .exactOptional()
      .describe(
        'The most people that one run may invite. A plan with more is held, even with `--yes`, until ' +
          'somebody approves it. Unless set, only `guards.invites` of each source applies.',
      ),
    attempts: count(1, 100)
      .prefault(6)
      .describe(
        'The most attempts of a call before its delivery fails; waiting for the pace or an outage does not count.',
      ),
    backoff: Backoff,
    deadline: duration()
      .prefault('12h')
      .describe('The longest time a run may deliver; then it ends, and reports what is left.'),
  })
  .prefault({});

const isPage = (value: string): boolean => {
  const url = URL.parse(value);
  return /^https?:$/.test(url?.protocol ?? '') && url?.username === '' && url.search === '' && url.hash === '';
};

const Server = z
  .strictObject({
    hosts: z
      .array(text(), { error: 'must be a list of host names like [roster.example.com]' })
      .prefault([])
      .meta({
        description:
          'Host names that `serve` answers to, in addition to this machine and IP addresses. Other names are refused, because a web page could use them to attack it.',
        form: 'list of host names',
        example: ['roster.example.com'],
      }),
    publicUrl: textUpTo(500)
      .refine(isPage, { error: 'must be an address like https://roster.example.com' })
      .exactOptional()
      .meta({
        description:
          'The address at which people open the pages of `serve`. If it is set, notifications link to the run.',
        form: 'address',
        example: 'https://roster.example.com',
      }),
    uploadLimit: size('500MB').prefault('100MB').describe('The largest file that the API takes.'),
    signIn: SignIn.exactOptional().meta({
      description:
        'A sign-in service of your company (OpenID Connect), for the pages: people sign in there, and a claim decides about their role.',
      form: 'sign-in service',
      example: { issuer: 'https://login.example.com', clientId: 'roster-sync', clientSecret: '${CLIENT_SECRET}' },
    }),
    twoPeople: choice()
      .prefault(false)
      .describe(
        'Whoever brought or started a run may not approve what it holds: somebody else has to. They may still cancel it.',
      ),
    trustProxy: z
      .array(text(), { error: 'must be a list of addresses like [10.0.0.0/8]' })
      .prefault([])
      .meta({
        description: 'Addresses of the reverse proxies whose `X-Forwarded-For` is trusted; nobody else’s is.',
        form: 'list of addresses',
        example: ['10.0.0.0/8'],
      }),
  })
  .prefault({});

const Retention = z
  .strictObject({
    answers: keeping()
      .prefault('30d')
      .describe(
        'The time to keep the answers of the service as received, and what people answered to questions; the outcomes stay.',
      ),
    rosters: keeping()
      .prefault('90d')
      .describe('The time to keep the people and the rejects of an `import`. A run without them cannot be retried.'),
    receipts: keeping()
      .prefault('400d')
      .describe(
        'The time to keep everything else of a run. What a person was last given is kept until they are forgotten.',
      ),
  })
  .prefault({});

/** Every setting, once. What is parsed has times in ms and secrets as `Secret`. */
export const Settings = z.strictObject({
  service: Service,
  delivery: Delivery,
  sources: Sources.prefault({}).meta({
    description: 'The sources of rosters, by name: where each one comes from, and how its rows become members.',
    form: 'sources',
    example: { staff: { file: './staff.csv' } },
  }),
  server: Server,
  notify: Notify,
  retention: Retention,
  answers: Answers,
  dataDir: filePath().prefault('.roster-sync').meta({
    description:
      'The folder for everything that is kept; unless set, next to the config file, or without one where you start the command.',
    example: '/var/lib/roster-sync',
    variable: 'ROSTER_SYNC_DATA_DIR',
  }),
  redisUrl: secretUrl(['redis', 'rediss']).exactOptional().meta({
    description: 'The Redis that carries the queue; without it jobs wait in memory, filled from the ledger.',
    secret: 'address',
    example: 'rediss://redis.example.com:6379',
    variable: 'REDIS_URL',
  }),
  redisPrefix: text('roster-sync-test')
    .prefault('roster-sync')
    .describe('The prefix of the names of all keys in Redis.'),
  databaseUrl: secretUrl(['postgres', 'postgresql'])
    // The driver would take `prefer` for `require`, and `allow` for `disable`.
    .refine((url) => !/[?&]sslmode=(?:prefer|allow)\b/i.test(url.reveal()), {
      error: 'must not leave TLS to chance: write sslmode=verify-full, or sslmode=disable',
    })
    .exactOptional()
    .meta({
      description: 'The PostgreSQL that holds the ledger; without it the ledger is in the data directory.',
      secret: 'address',
      example: 'postgres://roster_sync@db.example.com/roster_sync',
      variable: 'DATABASE_URL',
    }),
});
export type Settings = z.output<typeof Settings>;

export const allSettings: readonly Setting[] = settingsIn(Settings);
