// The schema of where a source is fetched from: file, HTTP, SFTP.
import { z } from 'zod';
import { pointerTo } from '../src/core/rows/path.ts';
import { httpDefaults, sftpDefaults, type Place } from '../src/core/rows/source.ts';
import { AzureBlob, Ldap, limitsOf, maxBytes, S3, Sql } from './place-schemas.ts';
import { address, count, duration, filePath, secretText, text, wordOf } from '../src/core/settings/values.ts';

/** A text that goes to a server and may be a secret. */
const secrets = (example: Record<string, string>) =>
  z
    .record(text(), secretText(), { error: 'must be names and texts' })
    .meta({ form: 'names and texts', secret: 'all', example });

const OAuth2 = z
  .strictObject({
    tokenUrl: address('https://login.example.com/oauth2/token').describe('The address that gives tokens: `https`.'),
    clientId: text().meta({ example: 'roster-sync' }).describe('The client id.'),
    clientSecret: secretText().exactOptional().describe('The client secret; only with `refreshToken` may it lack.'),
    refreshToken: secretText()
      .exactOptional()
      .describe('A refresh token that somebody was given; the newest one is kept, encrypted with this one.'),
    scope: text()
      .meta({ example: 'people.read' })
      .exactOptional()
      .describe('The scopes to ask for, separated by spaces.'),
    audience: text().meta({ example: 'https://api.example.com' }).exactOptional().describe('The audience to ask for.'),
    credentials: wordOf(['header', 'body'])
      .prefault('header')
      .describe('Where id and secret go: a Basic header, or fields of the form.'),
  })
  .refine(({ clientSecret, refreshToken }) => clientSecret !== undefined || refreshToken !== undefined, {
    error: 'needs a clientSecret, a refreshToken, or both',
  });

const Auth = z
  .strictObject({
    basic: z
      .strictObject({
        username: text().meta({ example: 'hr-export' }).describe('The user name.'),
        password: secretText().describe('The password.'),
      })
      .exactOptional(),
    bearer: secretText().exactOptional().describe('A bearer token.'),
    oauth2: OAuth2.exactOptional(),
  })
  .refine((auth) => Object.keys(auth).length === 1, { error: 'must have exactly one of basic, bearer and oauth2' });

const PageSize = z.strictObject({
  parameter: text().meta({ example: 'limit' }).describe('The parameter for the number of people on a page.'),
  count: count(1, 100_000).meta({ example: 200 }).describe('The number of people on a page.'),
});
const place = () => wordOf(['query', 'body']).exactOptional().describe('Where the parameter goes; `query` unless set.');
const parameter = () => text().meta({ example: 'page' }).describe('The parameter for the page.');
/** Where something is in an answer: a path such as `paging.next`, or a JSON pointer. */
const placeText = () => z.string({ error: wrongPlace }).refine(isPlace, { error: wrongPlace, abort: true });
const wrongPlace = 'must be a path like data.people, or a JSON pointer like /data/people';
function isPlace(value: string): boolean {
  try {
    return pointerTo(value) !== undefined;
  } catch {
    return false;
  }
}
const path = () =>
  placeText().meta({
    description: 'Where it is in the answer: a path such as `paging.next`, or a JSON pointer.',
    form: 'path',
    example: 'paging.next',
  });
const total = () =>
  placeText().exactOptional().meta({
    description: 'The path to the number of people in the answer; if fewer arrive, the run fails.',
    form: 'path',
    example: 'meta.total',
  });

/** The ways to ask for further pages; presets add to them. */
export const pagings = {
  link: z.strictObject({ by: z.literal('link'), total: total() }),
  next: z.strictObject({ by: z.literal('next'), path: path(), total: total() }),
  cursor: z.strictObject({
    by: z.literal('cursor'),
    path: path(),
    parameter: parameter(),
    in: place(),
    total: total(),
  }),
  offset: z.strictObject({
    by: z.literal('offset'),
    parameter: parameter(),
    first: count(0, 1).prefault(0),
    size: PageSize.exactOptional(),
    in: place(),
    total: total(),
  }),
  page: z.strictObject({
    by: z.literal('page'),
    parameter: parameter(),
    first: count(0, 1).prefault(1),
    size: PageSize.exactOptional(),
    in: place(),
    pages: placeText()
      .exactOptional()
      .meta({ description: 'The path to the number of pages.', form: 'path', example: 'meta.pages' }),
    total: total(),
  }),
} as const;

const Paging = z.discriminatedUnion('by', [pagings.link, pagings.next, pagings.cursor, pagings.offset, pagings.page], {
  error: 'must say by: link, next, cursor, offset or page',
});

const Http = z.strictObject({
  url: address('https://hr.example.com/api/people').describe(
    'The address: `https`; plain `http` on this machine only.',
  ),
  method: wordOf(['GET', 'POST']).prefault(httpDefaults.method).describe('The method of the request.'),
  query: secrets({ view: 'active' })
    .exactOptional()
    .describe('Added to the query of the address, which is never shown.'),
  headers: secrets({ 'X-Api-Key': '${API_KEY}' }).exactOptional().describe('Headers, such as an API key.'),
  body: z
    .json()
    .exactOptional()
    .meta({ description: 'Sent as JSON.', form: 'anything', example: { status: 'active' } }),
  auth: Auth.exactOptional(),
  records: placeText().transform(pointerTo).exactOptional().meta({
    description: 'Where the list of people is: a path such as `data.people`, or a JSON pointer; detected unless set.',
    form: 'path',
    example: 'data.people',
  }),
  paging: Paging.exactOptional(),
  ...limitsOf(httpDefaults),
  maxBytes: maxBytes(httpDefaults.maxBytes),
  maxPages: count(1, 1_000_000).prefault(httpDefaults.maxPages).describe('The most pages.'),
});

const fingerprint = () =>
  z.string({ error: 'must be text' }).regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, {
    error: 'must be a fingerprint like SHA256:…, as `ssh-keygen -lf` shows it',
  });

/** A private key, or the file that holds it, and its passphrase. */
const privateKeyFields = (description: string) => ({
  privateKey: secretText().exactOptional().describe(description),
  privateKeyFile: filePath('./hr.key').exactOptional().describe('A file that holds the private key.'),
  passphrase: secretText().exactOptional().describe('The passphrase of the private key.'),
});

const Sftp = z
  .strictObject({
    host: text().meta({ description: 'The host.', form: 'host', example: 'sftp.example.com' }),
    port: count(1, 65_535).meta({ example: 2222 }).prefault(sftpDefaults.port).describe('The port.'),
    username: text().meta({ example: 'hr-export' }).describe('The user name.'),
    password: secretText().exactOptional().describe('The password.'),
    ...privateKeyFields('The private key itself, instead of a password.'),
    fingerprint: z
      .union([fingerprint().transform((one) => [one]), z.array(fingerprint()).min(1)], {
        error: 'must be a fingerprint like SHA256:…, or a list of them',
      })
      .meta({
        description: 'The key of the host, as `ssh-keygen -lf` shows it; several while it is changed.',
        form: 'text or list',
        example: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU',
      }),
    path: text().meta({
      description: 'The file; `*` and `?` in its name stand for any text and any character.',
      form: 'path',
      example: '/out/staff-*.csv',
    }),
    ...limitsOf(sftpDefaults),
    maxBytes: maxBytes(sftpDefaults.maxBytes),
  })
  .refine(
    ({ password, privateKey, privateKeyFile }) =>
      [password, privateKey, privateKeyFile].filter((way) => way !== undefined).length === 1,
    { error: 'must have exactly one of password, privateKey and privateKeyFile' },
  );
export type SftpSource = z.output<typeof Sftp>;

const Pgp = z
  .strictObject(
    {
      ...privateKeyFields('The private key that opens it, as text (`-----BEGIN PGP PRIVATE KEY BLOCK-----`).'),
      signedBy: text()
        .meta({ example: '${HR_PUBLIC_KEYS}' })
        .exactOptional()
        .describe(
          'Public keys of the sender, as text. With them, a file that is not encrypted and signed by one of them is refused.',
        ),
      signedByFile: filePath('./hr-public.asc').exactOptional().describe('A file that holds these public keys.'),
    },
    { error: 'must be keys like { privateKeyFile: ./payroll.asc }' },
  )
  .refine(({ privateKey, privateKeyFile }) => (privateKey === undefined) !== (privateKeyFile === undefined), {
    error: 'must have exactly one of privateKey and privateKeyFile',
  })
  .refine(({ signedBy, signedByFile }) => signedBy === undefined || signedByFile === undefined, {
    error: 'must have only one of signedBy and signedByFile',
  });
export type PgpSource = z.output<typeof Pgp>;

const placeKeys = {
  file: filePath('./staff.csv')
    .exactOptional()
    .describe('A file, a pattern such as `./rosters/staff-*.csv`, a folder, or `-` for standard input.'),
  http: Http.exactOptional(),
  sftp: Sftp.exactOptional(),
  ldap: Ldap.exactOptional(),
  sql: Sql.exactOptional(),
  s3: S3.exactOptional(),
  azureBlob: AzureBlob.exactOptional(),
} as const satisfies Record<Place, z.ZodType>;

/** The keys of a source that say where its people come from. */
export const locationKeys = {
  ...placeKeys,
  preset: text()
    .meta({ example: 'bamboohr' })
    .exactOptional()
    .describe('A named way to read a system: see docs/presets.md.'),
  account: secrets({ company: 'acme', key: '${BAMBOO_KEY}' })
    .exactOptional()
    .describe('The parameters of the preset: company, keys.'),
  pgp: Pgp.exactOptional(),
  passwordFile: filePath('./workbook-password.txt')
    .exactOptional()
    .describe('A file with the password of a workbook (`.xlsx`) that is locked, on one line.'),
  pick: wordOf(['newest', 'all'])
    .exactOptional()
    .describe('Of several files that match: the newest (the default), or all of them as one roster.'),
  settle: duration('10s')
    .exactOptional()
    .describe('The time for which a file must keep its size and time before it is read.'),
  maxAge: duration('36h').exactOptional().describe('The greatest age of the file; an older file fails the run.'),
} as const;
/** Times are in ms. */
export type SourceSettings = z.output<z.ZodObject<typeof locationKeys>>;
