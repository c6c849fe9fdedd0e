// Every place a roster can be in: its settings and keys, what must not be shown of them, and what opens it.
import { z } from 'zod';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { Secret } from '../core/secrets/secret.ts';
import { oneOf, filePath, text, duration, wordOf } from '../core/settings/values.ts';
import { privateKeyFields } from './shared-settings.ts';
import { readText } from './files/read-failure.ts';
import type { OpenOptions, FetchedRoster, FileChoice, HttpSource, SourceDeps } from './roster-file.ts';
import type { PgpKeys } from './pgp/decrypt.ts';
import { secretTexts, decoded } from '../core/secrets/secret-parts.ts';
import { secretsOfHttp } from './fetch/credentials.ts';
import { Http, namesAndSecrets } from './fetch/http-schema.ts';
import { Sftp } from './fetch/sftp-schema.ts';
import { Ldap } from './ldap/ldap-schema.ts';
import { Sql } from './sql/sql-schema.ts';
import { AzureBlob, S3 } from './store/store-schema.ts';

const Pgp = z
  .strictObject(
    {
      ...privateKeyFields(),
      signedBy: text().exactOptional(),
      signedByFile: filePath().exactOptional(),
    },
    { error: 'must be keys like { privateKeyFile: ./payroll.asc }' },
  )
  .superRefine(oneOf(['privateKey', 'privateKeyFile'], 'must have exactly one of privateKey and privateKeyFile'))
  .refine(({ signedBy, signedByFile }) => signedBy === undefined || signedByFile === undefined, {
    error: 'must have only one of signedBy and signedByFile',
  });
type PgpSource = z.output<typeof Pgp>;

/** Throws an `InputError` for a file that cannot be read, or that holds no password. */
export async function loadKeys({
  pgp,
  passwordFile,
}: {
  pgp?: PgpSource;
  passwordFile?: string;
}): Promise<Pick<OpenOptions, 'pgp' | 'password'>> {
  return {
    ...(pgp && { pgp: await loadPgpKeys(pgp) }),
    ...(passwordFile !== undefined && { password: await loadPassword(passwordFile) }),
  };
}

export async function loadPgpKeys({ privateKey, privateKeyFile, ...more }: PgpSource): Promise<PgpKeys> {
  const { passphrase, signedBy, signedByFile } = more;
  const signers = signedByFile === undefined ? signedBy : await readText(signedByFile, 'latin1');
  return {
    privateKey: privateKey ?? new Secret(await readText(privateKeyFile ?? '', 'latin1')),
    ...defined({ passphrase, signedBy: signers }),
  };
}

/** A password of Office has no more characters. */
const mostOfPassword = 255;

/** The file holds nothing else; the end of its line is not part of it. */
async function loadPassword(file: string): Promise<Secret> {
  const password = (await readText(file)).replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
  if (password === '') throw new InputError(`${file}: it is empty. Write the password of the workbook into it.`);
  if (password.length <= mostOfPassword && !/[\r\n]/.test(password)) return new Secret(password);
  throw new InputError(`${file}: this is not a password. Write one line of at most ${mostOfPassword} characters.`);
}

interface PlaceKind<At> {
  /** As people call it; a file is called by its name. */
  title: string;
  /** In the forms in which they go over the wire. */
  secrets(at: At): (Secret | undefined)[];
  /** What speaks to servers is loaded when needed: it takes longer to load than everything else here. */
  load(): Promise<(at: At, deps: SourceDeps, choice: FileChoice) => Promise<FetchedRoster>>;
}

const place = <Settings extends z.ZodType, At = z.output<Settings>>(settings: Settings, kind: PlaceKind<At>) => ({
  settings,
  ...kind,
});

/** By its key in the settings. A new place is one more entry here. */
export const places = {
  file: place(filePath(), {
    title: 'a file',
    secrets: () => [],
    load: async () => (await import('./files/file-source.ts')).openFiles,
  }),
  http: place(Http, {
    title: 'HTTP',
    secrets: secretsOfHttp,
    load: async () => (await import('./fetch/open-http.ts')).openHttp,
  }),
  sftp: place(Sftp, {
    title: 'SFTP',
    secrets: ({ password, passphrase, privateKey }) => [password, passphrase, privateKey],
    load: async () => (await import('./fetch/open-sftp.ts')).openSftp,
  }),
  ldap: place(Ldap, {
    title: 'LDAP',
    secrets: ({ password }) => [password],
    load: async () => (await import('./ldap/open-ldap.ts')).openLdap,
  }),
  sql: place(Sql, {
    title: 'SQL',
    secrets: ({ url }) => [url, ...passwordsIn(url)],
    load: async () => (await import('./sql/open-sql.ts')).openSql,
  }),
  s3: place(S3, {
    title: 'S3',
    secrets: ({ secretAccessKey, sessionToken }) => [secretAccessKey, sessionToken],
    load: async () => (await import('./store/open-store.ts')).openS3,
  }),
  azureBlob: place(AzureBlob, {
    title: 'Azure Blob',
    secrets: ({ key, sas }) => [key, sas],
    load: async () => (await import('./store/open-store.ts')).openAzureBlob,
  }),
};

export type Place = keyof typeof places;
type PlaceKeys = { [Key in Place]: z.ZodExactOptional<(typeof places)[Key]['settings']> };

const placeKeys = Object.fromEntries(
  Object.entries(places).map(([key, { settings }]) => [key, z.exactOptional(settings)]),
) as PlaceKeys;

/** The keys of a source that say where its people come from. */
export const locationKeys = {
  ...placeKeys,
  preset: text().exactOptional(),
  account: namesAndSecrets().exactOptional(),
  pgp: Pgp.exactOptional(),
  passwordFile: filePath().exactOptional(),
  pick: wordOf(['newest', 'all']).exactOptional(),
  settle: duration().exactOptional(),
  maxAge: duration().exactOptional(),
} as const;

/** Where a roster comes from: exactly one of the places, or an API preset, which stands for `http`. Times are in ms. */
export interface SourceLocation extends Omit<z.output<z.ZodObject<typeof locationKeys>>, 'http'> {
  http?: HttpSource;
}

export const placesOf = (source: { readonly [Name in Place]?: unknown }): Place[] =>
  (Object.keys(places) as Place[]).filter((key) => source[key] !== undefined);

/** A place that gets the settings of its own key only. */
export const kindOf = (key: Place): PlaceKind<unknown> => places[key] as PlaceKind<unknown>;

/** The password in an address, as it is written there and as it is. */
function passwordsIn(url: Secret): Secret[] {
  const { password } = new URL(url.reveal());
  return secretTexts(password === '' ? [] : [password, decoded(password)]);
}

/** All that must not be shown of a source. The one list: clients, log and whatever keeps a server's text use it. */
export function secretsOfSource(source: SourceLocation): Secret[] {
  const { pgp, account = {} } = source;
  return [
    ...placesOf(source).flatMap((key) => kindOf(key).secrets(source[key])),
    ...[pgp?.passphrase, pgp?.privateKey],
    ...secretTexts(Object.values(account).map((value) => value.reveal())),
  ].filter((secret) => secret !== undefined);
}
