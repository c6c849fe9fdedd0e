// Every place a roster can be in: what must not be shown of its settings, and what opens it.
import { type Place, placesOf } from '../core/rows/source.ts';
import type { Secret } from '../core/secrets/secret.ts';
import { secretTexts, decoded } from '../core/secrets/secret-parts.ts';
import type { FetchedRoster } from './fetch/open-http.ts';
import { secretsOfHttp } from './fetch/http-auth.ts';
import type { SourceDeps, SourceLocation } from './source-location.ts';

type Opener<At> = (at: At, deps: SourceDeps, source: SourceLocation) => Promise<FetchedRoster>;

interface PlaceKind<At> {
  /** In the forms in which they go over the wire. */
  secrets(at: At): (Secret | undefined)[];
  /** What speaks to servers is loaded when needed: it takes longer to load than everything else here. */
  load(): Promise<Opener<At>>;
}

/** By its key in the settings, where `src/core/rows/source.ts` has its title. */
export const placeKinds: { readonly [Key in Place]: PlaceKind<NonNullable<SourceLocation[Key]>> } = {
  file: { secrets: () => [], load: async () => (await import('./files/file-source.ts')).openFiles },
  http: { secrets: secretsOfHttp, load: async () => (await import('./fetch/open-http.ts')).openHttp },
  sftp: {
    secrets: ({ password, passphrase, privateKey }) => [password, passphrase, privateKey],
    load: async () => (await import('./fetch/open-sftp.ts')).openSftp,
  },
  ldap: { secrets: ({ password }) => [password], load: async () => (await import('./ldap/open-ldap.ts')).openLdap },
  sql: {
    secrets: ({ url }) => [url, ...passwordsIn(url)],
    load: async () => (await import('./sql/open-sql.ts')).openSql,
  },
  s3: {
    secrets: ({ secretAccessKey, sessionToken }) => [secretAccessKey, sessionToken],
    load: async () => (await import('./store/open-store.ts')).openS3,
  },
  azureBlob: {
    secrets: ({ key, sas }) => [key, sas],
    load: async () => (await import('./store/open-store.ts')).openAzureBlob,
  },
};

/** Calls something with the kind of a place and the settings that a source has for it. */
function withPlace<Key extends Place, Result>(
  key: Key,
  source: SourceLocation,
  use: (kind: PlaceKind<NonNullable<SourceLocation[Key]>>, at: NonNullable<SourceLocation[Key]>) => Result,
): Result[] {
  const at = source[key];
  return at === undefined ? [] : [use(placeKinds[key], at)];
}

/** The password in an address, as it is written there and as it is. */
function passwordsIn(url: Secret): Secret[] {
  const { password } = new URL(url.reveal());
  return secretTexts(password === '' ? [] : [password, decoded(password)]);
}

/** All that must not be shown of a source. The one list: clients, log and whatever keeps a server's text use it. */
export function secretsOfSource(source: SourceLocation): Secret[] {
  const { pgp, account = {} } = source;
  return [
    ...placesOf(source).flatMap((place) => withPlace(place, source, (kind, at) => kind.secrets(at)).flat()),
    ...[pgp?.passphrase, pgp?.privateKey],
    ...secretTexts(Object.values(account).map((value) => value.reveal())),
  ].filter((secret) => secret !== undefined);
}

/** Opens the only place that a source names; standard input where it names none. */
export async function openPlaceOf(source: SourceLocation, deps: SourceDeps): Promise<FetchedRoster> {
  const [place = 'file'] = placesOf(source);
  const [opened] = withPlace(place, { file: '-', ...source }, async (kind, at) => {
    const open = await kind.load();
    return open(at, deps, source);
  });
  if (!opened) throw new Error('a source without a place');
  return opened;
}
