// Every place a roster can be in: its settings, what must not be shown of them, and what opens it.
import { z } from 'zod';
import type { Secret } from '../core/secrets/secret.ts';
import { secretTexts, decoded } from '../core/secrets/secret-parts.ts';
import { duration, filePath, text, wordOf } from '../core/settings/values.ts';
import { secretsOfHttp } from './fetch/credentials.ts';
import { Http, namesAndSecrets } from './fetch/http-schema.ts';
import { Sftp } from './fetch/sftp-schema.ts';
import { Pgp } from './keys.ts';
import { Ldap } from './ldap/ldap-schema.ts';
import type { FetchedRoster, FileChoice, HttpSource, SourceDeps } from './source-location.ts';
import { Sql } from './sql/sql-schema.ts';
import { AzureBlob, S3 } from './store/store-schema.ts';

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
