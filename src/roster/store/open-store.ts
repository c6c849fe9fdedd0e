// Opens the newest object of a pattern in S3 or Azure Blob storage as a roster.
import { refusal, InputError } from '../../core/errors.ts';
import { createHash } from 'node:crypto';
import { matchesGlob } from 'node:path';
import type { FetchedRoster, FileChoice, SourceDeps, RosterFile } from '../roster-file.ts';
import { defined } from '../../core/defined.ts';
import { SourceUnchanged } from '../../core/rows/source.ts';
import { HttpClient } from '../fetch/http-client.ts';
import { httpDefaults } from '../fetch/http-schema.ts';
import { readWhole, PagesShifted, watching } from '../fetch/tries.ts';
import { assertFresh, picked } from '../files/file-source.ts';
import { isMeant } from '../files/passing-files.ts';
import { openAll } from '../join-rosters.ts';
import { openRoster } from '../open-roster.ts';
import { type AwsKeys, azureStore, type ObjectStore, readListing, type StoredObject, s3Store } from './object-store.ts';
import type { AzureBlobSource, S3Source } from './store-schema.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { quote } from '../../core/text/format.ts';
import { missingPackage } from '../files/read-failure.ts';

/** The most objects below the beginning of a pattern; an endless listing ends here. */
const mostObjects = 100_000;
const mostPages = 1000;
const listingBytes = 16 * 1024 ** 2;

/**
 * Opens the newest object of a source whose key matches, or with `pick: all` every one; all of it has arrived when this
 * returns. What is read is what was listed: an object that is replaced meanwhile is listed again. Throws an `InputError`
 * when it cannot be had, `SourceUnchanged` when the newest object is the one that the validators name.
 */
async function openStored(
  { path, timeout, deadline, attempts, maxBytes }: S3Source | AzureBlobSource,
  store: ObjectStore,
  deps: SourceDeps,
  { pick, maxAge }: FileChoice,
): Promise<FetchedRoster> {
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
    const roster = await openAll(chosen, (object) => openObject(client, store, object, deps), place, pick).catch(
      (error: unknown) => {
        throw error instanceof PagesShifted ? new PagesShifted(`${place} was replaced while it was read`) : error;
      },
    );
    return Object.assign(roster, { validators });
  });
}

export async function openS3(at: S3Source, deps: SourceDeps, choice: FileChoice): Promise<FetchedRoster> {
  return openStored(at, s3Store({ ...at, ...(await awsKeys(at, deps.name)) }, deps.name), deps, choice);
}

export async function openAzureBlob(at: AzureBlobSource, deps: SourceDeps, choice: FileChoice): Promise<FetchedRoster> {
  return openStored(at, azureStore(at, deps.name), deps, choice);
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
    const answer = readListing(body.toString('utf8'), store, where);
    listed += answer.objects.length;
    found.push(
      ...answer.objects.filter((one) => one.path === path || (matchesGlob(one.path, path) && isMeant(one.path, path))),
    );
    next = answer.next;
    if (next === undefined) break;
    if (listed > mostObjects || page >= mostPages) throw refusal('manyObjects', { where, mostObjects, prefix });
    if (seen.has(next)) throw new InputError(`${where} lists its objects without an end. Nothing from it was used.`);
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

/** Installed by who needs it, since it brings 16 MB along; so only what is used of it is known here. */
const sdk: string = '@aws-sdk/credential-providers';
interface Sdk {
  fromNodeProviderChain(
    options: object,
  ): () => Promise<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string }>;
}

/** The kit would write to the console. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Throws an `InputError` where there are none. The kit reads the environment and the files of AWS by itself. */
async function awsKeys(source: S3Source, name: string): Promise<AwsKeys> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = source;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey, ...defined({ sessionToken }) };
  }
  const { fromNodeProviderChain } = (await import(sdk).catch((error: unknown) => {
    throw missingPackage(error, `${sdk}@3`, `${name}: s3 without accessKeyId and secretAccessKey`);
  })) as Sdk;
  try {
    const found = await fromNodeProviderChain({ clientConfig: { region }, maxRetries: 3, logger: silent })();
    return {
      accessKeyId: found.accessKeyId,
      secretAccessKey: new Secret(found.secretAccessKey),
      ...defined({ sessionToken: found.sessionToken === undefined ? undefined : new Secret(found.sessionToken) }),
    };
  } catch (error) {
    const said = error instanceof Error ? quote(error.message, 200) : '';
    throw refusal('noAwsKeys', { name, said }, { cause: error });
  }
}
