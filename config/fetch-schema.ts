// The schema of where a source is fetched from: file, HTTP, SFTP.
import { z } from 'zod';
import { httpDefaults, sftpDefaults } from '../src/core/rows/source.ts';
import { Ldap } from './ldap-schema.ts';
import { Sql } from './sql-schema.ts';
import { AzureBlob, S3 } from './store-schema.ts';
import { count, duration, keeping, secretText, size, text } from './values.ts';

/** A text that goes to a server and may be a secret. */
const secrets = () => z.record(text(), secretText(), { error: 'must be names and texts' });

const OAuth2 = z.strictObject({
  tokenUrl: text().meta({ description: 'The address that gives tokens: `https`.', form: 'address' }),
  clientId: text().meta({ description: 'The client id.', form: 'text' }),
  clientSecret: secretText().meta({ description: 'The client secret.', form: 'text', secret: 'all' }),
  scope: text().exactOptional().meta({ description: 'The scopes to ask for, separated by spaces.', form: 'text' }),
  audience: text().exactOptional().meta({ description: 'The audience to ask for.', form: 'text' }),
  credentials: z
    .enum(['header', 'body'], { error: 'must be header or body' })
    .prefault('header')
    .meta({ description: 'Where id and secret go: a Basic header, or fields of the form.', form: 'header or body' }),
});

const SignIn = z.strictObject({
  tokenUrl: text().meta({ description: 'The address that gives tokens: `https`.', form: 'address' }),
  deviceUrl: text().meta({
    description: 'The address that gives codes for a sign-in (RFC 8628): `https`.',
    form: 'address',
  }),
  clientId: text().meta({ description: 'The client id.', form: 'text' }),
  clientSecret: secretText().exactOptional().meta({
    description: 'The client secret, if the client has one.',
    form: 'text',
    secret: 'all',
  }),
  scope: text().exactOptional().meta({
    description: 'The scopes to ask for, separated by spaces; often with `offline_access`.',
    form: 'text',
  }),
  credentials: z
    .enum(['header', 'body'], { error: 'must be header or body' })
    .prefault('header')
    .meta({ description: 'Where id and secret go: a Basic header, or fields of the form.', form: 'header or body' }),
  key: secretText()
    .refine((key) => /^[A-Za-z0-9+/]{43}=$/.test(key.reveal()), {
      error: 'must be 32 random bytes in Base64, as `openssl rand -base64 32` writes them',
    })
    .meta({
      description: 'The key that encrypts the kept sign-in, from the environment: `openssl rand -base64 32`.',
      form: 'text',
      secret: 'all',
    }),
});

const Auth = z
  .strictObject({
    basic: z
      .strictObject({
        username: text().meta({ description: 'The user name.', form: 'text' }),
        password: secretText().meta({ description: 'The password.', form: 'text', secret: 'all' }),
      })
      .exactOptional(),
    bearer: secretText().exactOptional().meta({ description: 'A bearer token.', form: 'text', secret: 'all' }),
    oauth2: OAuth2.exactOptional(),
    signIn: SignIn.exactOptional(),
  })
  .refine((auth) => Object.keys(auth).length === 1, {
    error: 'must have exactly one of basic, bearer, oauth2 and signIn',
  });

const PageSize = z.strictObject({
  parameter: text().meta({ description: 'The parameter for the number of people on a page.', form: 'text' }),
  count: count(1, 100_000).meta({ description: 'The number of people on a page.', form: 'whole number' }),
});
const place = () =>
  z.enum(['query', 'body'], { error: 'must be query or body' }).exactOptional().meta({
    description: 'Where the parameter goes; `query` unless set.',
    form: 'query or body',
  });
const parameter = () => text().meta({ description: 'The parameter for the page.', form: 'text' });
const path = () => text().meta({ description: 'The path to it in the answer, such as `paging.next`.', form: 'path' });
const total = () =>
  text().exactOptional().meta({
    description: 'The path to the number of people in the answer; if fewer arrive, the run fails.',
    form: 'path',
  });

const Paging = z.discriminatedUnion(
  'by',
  [
    z.strictObject({ by: z.literal('link'), total: total() }),
    z.strictObject({ by: z.literal('next'), path: path(), total: total() }),
    z.strictObject({ by: z.literal('cursor'), path: path(), parameter: parameter(), in: place(), total: total() }),
    z.strictObject({
      by: z.literal('offset'),
      parameter: parameter(),
      first: count(0, 1).prefault(0),
      size: PageSize.exactOptional(),
      in: place(),
      total: total(),
    }),
    z.strictObject({
      by: z.literal('page'),
      parameter: parameter(),
      first: count(0, 1).prefault(1),
      size: PageSize.exactOptional(),
      in: place(),
      pages: text().exactOptional().meta({ description: 'The path to the number of pages.', form: 'path' }),
      total: total(),
    }),
  ],
  { error: 'must say by: link, next, cursor, offset or page' },
);

const timeout = (fallback: number) =>
  duration().prefault(fallback).meta({
    description: 'The longest silence: before the answer begins, or between two parts of it.',
    form: 'time',
  });
const deadline = (fallback: number) =>
  duration().prefault(fallback).meta({ description: 'The longest time for all of it.', form: 'time' });
const attempts = (fallback: number) =>
  count(1, 100).prefault(fallback).meta({
    description: 'The most attempts of one request, for temporary errors.',
    form: 'whole number',
  });
const maxBytes = (fallback: number) =>
  size().prefault(fallback).meta({ description: 'The most bytes for all of it.', form: 'size' });

/** A source that is fetched over HTTP. */
const Http = z.strictObject({
  url: text().meta({ description: 'The address: `https`; plain `http` on this machine only.', form: 'address' }),
  method: z.enum(['GET', 'POST'], { error: 'must be GET or POST' }).prefault(httpDefaults.method).meta({
    description: 'The method of the request.',
    form: 'GET or POST',
  }),
  query: secrets().exactOptional().meta({
    description: 'Added to the query of the address, which is never shown.',
    form: 'names and texts',
    secret: 'all',
  }),
  headers: secrets().exactOptional().meta({
    description: 'Headers, such as an API key.',
    form: 'names and texts',
    secret: 'all',
  }),
  body: z.json().exactOptional().meta({ description: 'Sent as JSON.', form: 'anything' }),
  auth: Auth.exactOptional(),
  records: z
    .string({ error: 'must be a JSON pointer like /data/people' })
    .regex(/^(?:\/.*)?$/, { error: 'must be a JSON pointer like /data/people' })
    .exactOptional()
    .meta({ description: 'The JSON pointer of the list of people; detected unless set.', form: 'JSON pointer' }),
  paging: Paging.exactOptional(),
  timeout: timeout(httpDefaults.timeout),
  deadline: deadline(httpDefaults.deadline),
  attempts: attempts(httpDefaults.attempts),
  maxBytes: maxBytes(httpDefaults.maxBytes),
  maxPages: count(1, 1_000_000)
    .prefault(httpDefaults.maxPages)
    .meta({ description: 'The most pages.', form: 'whole number' }),
});

const fingerprint = () =>
  z.string({ error: 'must be text' }).regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, {
    error: 'must be a fingerprint like SHA256:…, as `ssh-keygen -lf` shows it',
  });

/** A private key, or the file that holds it, and its passphrase. */
const privateKeyFields = (description: string) => ({
  privateKey: secretText().exactOptional().meta({ description, form: 'text', secret: 'all' }),
  privateKeyFile: text().exactOptional().meta({
    description: 'A file that holds the private key.',
    form: 'path',
    isPath: true,
  }),
  passphrase: secretText().exactOptional().meta({
    description: 'The passphrase of the private key.',
    form: 'text',
    secret: 'all',
  }),
});

/** A source that is a file on an SFTP server. */
const Sftp = z
  .strictObject({
    host: text().meta({ description: 'The host.', form: 'host' }),
    port: count(1, 65_535).prefault(sftpDefaults.port).meta({ description: 'The port.', form: 'whole number' }),
    username: text().meta({ description: 'The user name.', form: 'text' }),
    password: secretText().exactOptional().meta({ description: 'The password.', form: 'text', secret: 'all' }),
    ...privateKeyFields('The private key itself, instead of a password.'),
    fingerprint: z
      .union([fingerprint().transform((one) => [one]), z.array(fingerprint()).min(1)], {
        error: 'must be a fingerprint like SHA256:…, or a list of them',
      })
      .meta({
        description: 'The key of the host, as `ssh-keygen -lf` shows it; several while it is changed.',
        form: 'text or list',
      }),
    path: text().meta({
      description: 'The file; `*` and `?` in its name stand for any text and any character.',
      form: 'path',
    }),
    timeout: timeout(sftpDefaults.timeout),
    deadline: deadline(sftpDefaults.deadline),
    attempts: attempts(sftpDefaults.attempts),
    maxBytes: maxBytes(sftpDefaults.maxBytes),
  })
  .refine(
    ({ password, privateKey, privateKeyFile }) =>
      [password, privateKey, privateKeyFile].filter((way) => way !== undefined).length === 1,
    { error: 'must have exactly one of password, privateKey and privateKeyFile' },
  );

/** The keys for a roster that is encrypted with PGP. */
const Pgp = z
  .strictObject(
    {
      ...privateKeyFields('The private key that opens it, as text (`-----BEGIN PGP PRIVATE KEY BLOCK-----`).'),
      signedBy: text().exactOptional().meta({
        description:
          'Public keys of the sender, as text. With them, a file that is not encrypted and signed by one of them is refused.',
        form: 'text',
      }),
      signedByFile: text().exactOptional().meta({
        description: 'A file that holds these public keys.',
        form: 'path',
        isPath: true,
      }),
    },
    { error: 'must be keys like { privateKeyFile: ./payroll.asc }' },
  )
  .refine(({ privateKey, privateKeyFile }) => (privateKey === undefined) !== (privateKeyFile === undefined), {
    error: 'must have exactly one of privateKey and privateKeyFile',
  })
  .refine(({ signedBy, signedByFile }) => signedBy === undefined || signedByFile === undefined, {
    error: 'must have only one of signedBy and signedByFile',
  });

const Delta = z
  .strictObject(
    {
      fullEvery: keeping().prefault('7d').meta({
        description: 'Everybody is read again after this time, whatever the server says has changed.',
        form: 'days or years',
      }),
    },
    { error: 'must be settings like { fullEvery: 7d }, or {}' },
  )
  .exactOptional()
  .meta({
    description:
      'Runs ask only for what changed since the last run, where the preset can: entra, entra-groups. Each run still plans everybody.',
  });

/** The keys of a source that say where its people come from. */
export const locationKeys = {
  file: text().exactOptional().meta({
    description: 'A file, a pattern such as `./rosters/staff-*.csv`, a folder, or `-` for standard input.',
    form: 'path',
    isPath: true,
  }),
  http: Http.exactOptional(),
  sftp: Sftp.exactOptional(),
  ldap: Ldap.exactOptional(),
  sql: Sql.exactOptional(),
  s3: S3.exactOptional(),
  azureBlob: AzureBlob.exactOptional(),
  preset: text().exactOptional().meta({
    description: 'A named way to read a system: see docs/sources.md.',
    form: 'text',
  }),
  account: secrets().exactOptional().meta({
    description: 'The parameters of the preset: company, keys.',
    form: 'names and texts',
    secret: 'all',
  }),
  delta: Delta,
  pgp: Pgp.exactOptional(),
  pick: z.enum(['newest', 'all'], { error: 'must be newest or all' }).exactOptional().meta({
    description: 'Of several files that match: the newest (the default), or all of them as one roster.',
    form: 'newest or all',
  }),
  settle: duration().exactOptional().meta({
    description: 'The time for which a file must keep its size and time before it is read.',
    form: 'time',
  }),
  maxAge: duration().exactOptional().meta({
    description: 'The greatest age of the file; an older file fails the run.',
    form: 'time',
  }),
} as const;
