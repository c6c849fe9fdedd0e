// Opens the newest object of a pattern in S3 or Azure Blob storage as a roster.
import { refusal } from '../../core/words/say.ts';
import { createHash } from 'node:crypto';
import { matchesGlob } from 'node:path';
import type { SourceLocation, SourceDeps } from '../source-location.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { httpDefaults, SourceUnchanged } from '../../core/rows/source.ts';
import { HttpClient } from '../fetch/http-client.ts';
import type { FetchedRoster } from '../fetch/open-http.ts';
import { readWhole, PagesShifted, watching } from '../fetch/tries.ts';
import { assertFresh, picked } from '../files/file-source.ts';
import { isMeant } from '../files/passing-files.ts';
import { openAll } from '../join-rosters.ts';
import { openRoster } from '../open-roster.ts';
import type { RosterFile } from '../roster-file.ts';
import { awsKeys } from './aws-keys.ts';
import { azureStore, type ObjectStore, parseListing, type StoredObject, s3Store } from './object-store.ts';

/** The most objects below the beginning of a pattern; an endless listing ends here. */
const mostObjects = 100_000;
const mostPages = 1000;
const listingBytes = 16 * 1024 ** 2;

/**
 * Opens the newest object of a source whose key matches, or with `pick: all` every one; all of it has arrived when this
 * returns. What is read is what was listed: an object that is replaced meanwhile is listed again. Throws an `InputError`
 * when it cannot be had, `SourceUnchanged` when the newest object is the one that the validators name.
 */
export async function openStored(source: SourceLocation, deps: SourceDeps): Promise<FetchedRoster> {
  const { s3, azureBlob, pick = 'newest', maxAge } = source;
  const settings = s3 ?? azureBlob;
  const store = s3
    ? s3Store({ ...s3, ...(await awsKeys(s3, deps.name)) }, deps.name)
    : azureBlob && azureStore(azureBlob, deps.name);
  if (!settings || !store) throw new Error('a source without storage');
  const { path, timeout, deadline, attempts, maxBytes } = settings;
  const { base: url, auth } = store;
  const http = { ...httpDefaults, url, timeout, deadline, attempts, maxBytes, ...defined({ auth }) };
  await using client = new HttpClient(http, { ...deps, secrets: [...(deps.secrets ?? []), ...store.secrets] });
  const place = `${store.place}/${path}`;
  return await readWhole(deps, async () => {
    const none = 'no object matches. Was the export made, and is the path right? It begins without a /.';
    const found = await listObjects(client, store, path, deps.name);
    const chosen = picked(found, pick, `${deps.name}: ${place}: ${none}`);
    assertFresh(chosen, maxAge, deps.now());
    const validators = { etag: versionOf(chosen) };
    if (deps.validators?.etag === validators.etag) throw new SourceUnchanged(deps.name, validators);
    const roster = await openAll(chosen, (object) => openObject(client, store, object, deps), place).catch(
      (error: unknown) => {
        throw error instanceof PagesShifted ? new PagesShifted(`${place} was replaced while it was read`) : error;
      },
    );
    return Object.assign(roster, { validators });
  });
}

/** The objects that match. */
async function listObjects(
  client: HttpClient,
  store: ObjectStore,
  path: string,
  name: string,
): Promise<StoredObject[]> {
  const prefix = path.slice(0, path.search(/[*?[{]|$/));
  const found: StoredObject[] = [];
  const seen = new Set<string>();
  let next: string | undefined;
  let listed = 0;
  for (let page = 1; ; page++) {
    const url = store.listUrl(prefix, next);
    const { body } = await client.read({ url, method: 'GET', headers: store.headers }, listingBytes);
    const where = `${name}: ${store.place}`;
    const answer = store.readListing(parseListing(body.toString('utf8'), store.item, where), where);
    listed += answer.objects.length;
    found.push(
      ...answer.objects.filter((one) => one.path === path || (matchesGlob(one.path, path) && isMeant(one.path, path))),
    );
    next = answer.next;
    if (next === undefined) break;
    if (listed > mostObjects || page >= mostPages) throw refusal('manyObjects', { where, mostObjects, prefix });
    if (seen.has(next)) throw new InputError(`${where} lists its objects without an end. None of it was used.`);
    seen.add(next);
  }
  return found;
}

function openObject(
  client: HttpClient,
  store: ObjectStore,
  { path, etag, modifiedAt }: StoredObject,
  { open }: SourceDeps,
): Promise<RosterFile> {
  const options = { ...open, name: `${store.place}/${path}`, now: () => modifiedAt };
  const shiftedWhen = [412, 404].map((status) => ({ status, says: '' }));
  const headers = { ...store.headers, 'if-match': etag };
  const request = { url: store.objectUrl(path), method: 'GET' as const, headers, shiftedWhen };
  return client.request(request, ({ body }) => watching(body, (bytes) => openRoster(bytes, options)));
}

/** A text that differs where any of the objects does. */
function versionOf(objects: readonly StoredObject[]): string {
  const text = JSON.stringify(objects.map(({ path, etag }) => [path, etag]));
  return createHash('sha256').update(text).digest('hex');
}
