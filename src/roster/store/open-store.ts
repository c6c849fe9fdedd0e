// Opens the newest object of a pattern in S3 or Azure Blob storage as a roster.
import { createHash } from 'node:crypto';
import { matchesGlob } from 'node:path';
import type { SourceLocation } from '../source-location.ts';
import { InputError } from '../../core/errors.ts';
import { SourceUnchanged } from '../../core/rows/source.ts';
import { HttpClient } from '../fetch/http-client.ts';
import type { FetchedRoster } from '../fetch/open-http.ts';
import { PagesShifted } from '../fetch/trouble.ts';
import { watching } from '../fetch/watch.ts';
import { assertFresh } from '../files/fresh.ts';
import { isMeant } from '../files/passing-files.ts';
import { joinRosters } from '../join-rosters.ts';
import { openRoster } from '../open-roster.ts';
import type { RosterFile } from '../roster-file.ts';
import type { SourceDeps } from '../source-deps.ts';
import { awsKeys } from './aws-keys.ts';
import { azureStore } from './azure-blob.ts';
import { type ObjectStore, parseListing, type StoredObject } from './object-store.ts';
import { s3Store } from './s3.ts';

/** The most objects below the beginning of a pattern; an endless listing ends here. */
const mostObjects = 100_000;
const mostPages = 1000;
const listingBytes = 16 * 1024 ** 2;
/** How often the objects are listed again because the one that was chosen is gone. */
const mostReadings = 3;

/** Opens the storage that a source names. All of it has arrived when this returns. */
export async function openStored(source: SourceLocation, deps: SourceDeps): Promise<FetchedRoster> {
  const { s3, azureBlob } = source;
  if (s3) return openStore(s3Store({ ...s3, ...(await awsKeys(s3, deps.name)) }, deps.name), s3.path, source, deps);
  if (azureBlob) return openStore(azureStore(azureBlob, deps.name), azureBlob.path, source, deps);
  throw new Error('a source without storage');
}

/**
 * Opens the newest object whose key matches, or with `pick: all` every one; all of it has arrived when this returns.
 * What is read is what was listed: an object that is replaced meanwhile is listed again. Throws an `InputError` when it
 * cannot be had, `SourceUnchanged` when the newest object is the one that the validators name.
 */
async function openStore(
  store: ObjectStore,
  path: string,
  { pick = 'newest', maxAge }: Pick<SourceLocation, 'pick' | 'maxAge'>,
  deps: SourceDeps,
): Promise<FetchedRoster> {
  const client = new HttpClient(store.http, { ...deps, secrets: [...(deps.secrets ?? []), ...store.secrets] });
  const place = `${store.place}/${path}`;
  try {
    for (let reading = 1; ; reading++) {
      const found = await listObjects(client, store, path, deps.name);
      const chosen = pick === 'all' ? found : found.slice(-1);
      if (chosen.length === 0) {
        throw new InputError(
          `${deps.name}: ${place}: no object matches. Was the export made, and is the path right? It begins without a /.`,
        );
      }
      if (maxAge !== undefined) {
        for (const { key, modifiedAt } of chosen) assertFresh(key, modifiedAt, maxAge, deps.now());
      }
      const validators = { etag: versionOf(chosen) };
      if (deps.validators?.etag === validators.etag) throw new SourceUnchanged(deps.name, validators);
      try {
        return Object.assign(await openObjects(client, store, chosen, place, deps), { validators });
      } catch (error) {
        if (!(error instanceof PagesShifted)) throw error;
        if (reading >= mostReadings) {
          throw new InputError(
            `${deps.name}: ${place} was replaced while it was read, ${mostReadings} times. None of it was used.`,
          );
        }
        deps.onWait?.(`${place} was replaced while it was read: it is listed again`, 0);
      }
    }
  } finally {
    await client.close();
  }
}

/** The objects that match, the oldest first. */
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
    found.push(...answer.objects.filter(({ key }) => key === path || (matchesGlob(key, path) && isMeant(key, path))));
    next = answer.next;
    if (next === undefined) break;
    if (listed > mostObjects || page >= mostPages) {
      throw new InputError(
        `${where} has more than ${mostObjects} objects that begin with ${prefix}. Make the path longer.`,
      );
    }
    if (seen.has(next)) throw new InputError(`${where} lists its objects without an end. None of it was used.`);
    seen.add(next);
  }
  return found.toSorted((a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime() || (a.key < b.key ? -1 : 1));
}

async function openObjects(
  client: HttpClient,
  store: ObjectStore,
  objects: readonly StoredObject[],
  place: string,
  deps: SourceDeps,
): Promise<RosterFile> {
  const rosters: RosterFile[] = [];
  try {
    for (const { key, etag, modifiedAt } of objects) {
      const options = { ...deps.open, name: `${store.place}/${key}`, now: () => modifiedAt };
      const shiftedWhen = [412, 404].map((status) => ({ status, says: '' }));
      const headers = { ...store.headers, 'if-match': etag };
      const request = { url: store.objectUrl(key), method: 'GET' as const, headers, shiftedWhen };
      rosters.push(await client.request(request, ({ body }) => watching(body, (bytes) => openRoster(bytes, options))));
    }
    const [first, ...others] = rosters;
    if (!first) throw new Error('no object was chosen');
    return others.length === 0 ? first : joinRosters([first, ...others], place);
  } catch (error) {
    for (const roster of rosters) await roster.close();
    throw error;
  }
}

/** A text that differs where any of the objects does. */
function versionOf(objects: readonly StoredObject[]): string {
  const text = JSON.stringify(objects.map(({ key, etag }) => [key, etag]));
  return createHash('sha256').update(text).digest('hex');
}
