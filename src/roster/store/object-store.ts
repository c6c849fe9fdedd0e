// What S3 and Azure Blob storage have in common, and the XML of their listings.
import { refusal, InputError } from '../../core/errors.ts';
import { SaxesParser } from 'saxes';
import type { HttpAuth } from '../roster-file.ts';
import type { Secret } from '../../core/secrets/secret.ts';
import type { S3Source, AzureBlobSource } from './store-schema.ts';
import { defined } from '../../core/defined.ts';
import { parseSourceUrl } from '../fetch/http-message.ts';
import { secretTexts } from '../../core/secrets/secret-parts.ts';
import { azureVersion, percentEncoded } from '../fetch/request-signature.ts';

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: Secret;
  sessionToken?: Secret;
}

export interface StoredObject {
  /** Its key. */
  path: string;
  /** With its quotes, as a header has it. */
  etag: string;
  modifiedAt: Date;
}

export interface ObjectStore {
  /** The address of the bucket or container. */
  base: string;
  auth?: HttpAuth;
  secrets: readonly Secret[];
  /** What objects are shown below, in messages: the bucket. */
  place: string;
  headers: Readonly<Record<string, string>>;
  /** The elements of a listing: of an object, and in that of its key, its version and its time. */
  elements: Record<'item' | 'path' | 'etag' | 'modified', string>;
  listUrl(prefix: string, next: string | undefined): URL;
  objectUrl(key: string): URL;
  /** Where a listing goes on, by the elements that it has besides its objects. */
  nextOf(whole: Readonly<Record<string, string>>): string | undefined;
}

interface Listing {
  objects: Record<string, string>[];
  whole: Record<string, string>;
}

/**
 * Reads the XML of a listing.
 * @param item the element of an object
 * @throws InputError for what is not XML
 */
function parseListing(text: string, item: string, where: string): Listing {
  const listing: Listing = { objects: [], whole: {} };
  const parser = new SaxesParser();
  const open: string[] = [];
  let object: Record<string, string> | undefined;
  let said = '';
  let isEncoded = false;
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    said = '';
    isEncoded = attributes['Encoded'] === 'true';
    if (name === item) object = {};
  });
  const add = (more: string): void => void (said += more);
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    open.pop();
    if (name === item && object) {
      listing.objects.push(object);
      object = undefined;
    } else if (object) object[name] ??= isEncoded ? decodeURIComponent(said) : said;
    else if (open.length === 1) listing.whole[name] = said;
    said = '';
    isEncoded = false;
  });
  try {
    parser.write(text).close();
  } catch {
    throw new InputError(`${where} gave no listing of objects: what came is not XML. Is it the right address?`);
  }
  return listing;
}

/** One page of a listing: its objects, and where it goes on. Throws an `InputError` where it lacks a part of an object. */
export function readListing(
  text: string,
  { elements, nextOf }: Pick<ObjectStore, 'elements' | 'nextOf'>,
  where: string,
): { objects: StoredObject[]; next: string | undefined } {
  const { objects, whole } = parseListing(text, elements.item, where);
  const files = objects.filter(({ ResourceType: kind }) => kind !== 'directory');
  return {
    objects: files.map((object) => {
      const [path = '', etag = '', modified = ''] = [elements.path, elements.etag, elements.modified].map(
        (name) => object[name],
      );
      const time = Date.parse(modified);
      if (path === '' || etag === '' || Number.isNaN(time)) throw refusal('objectLacksParts', { where });
      return { path, etag: etag.startsWith('"') ? etag : `"${etag}"`, modifiedAt: new Date(time) };
    }),
    next: nextOf(whole) || undefined,
  };
}

/** The address that asks for a listing. */
function listingAt(address: string, parameters: Readonly<Record<string, string | undefined>>): URL {
  const list = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) list.searchParams.set(name, value);
  }
  // A + is a blank in a form, but not in a signature.
  list.search = list.search.replaceAll('+', '%20');
  return list;
}

/** A key in the path of an address; every sign that a signature could write in two ways is encoded. */
function keyPath(key: string): string {
  return key.split('/').map(percentEncoded).join('/');
}

/** The storage of a source. Throws an `InputError` for an endpoint that cannot be used. */
export function s3Store(source: S3Source & AwsKeys, name: string): ObjectStore {
  const { bucket, region, accessKeyId, secretAccessKey, sessionToken } = source;
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = parseSourceUrl(source.endpoint ?? `https://s3.${region}.${suffix}`, `The endpoint of ${name}`);
  // The certificate of AWS does not cover a bucket with a dot in front of the host.
  const isInPath = source.pathStyle ?? (source.endpoint !== undefined || bucket.includes('.'));
  if (!isInPath) url.host = `${bucket}.${url.host}`;
  const base = `${url.origin}${url.pathname.replace(/\/$/, '')}${isInPath ? `/${bucket}` : ''}`;
  return {
    base,
    auth: { aws: { accessKeyId, secretAccessKey, region, ...defined({ sessionToken }) } },
    secrets: [],
    place: bucket,
    headers: {},
    elements: { item: 'Contents', path: 'Key', etag: 'ETag', modified: 'LastModified' },
    nextOf: ({ IsTruncated, NextContinuationToken: next }) => {
      if (IsTruncated?.toLowerCase() !== 'true') return undefined;
      if (!next) throw refusal('listingCutOff', { where: `${name}: ${bucket}` });
      return next;
    },
    listUrl: (prefix, next) =>
      listingAt(`${base}${isInPath ? '' : '/'}`, {
        'list-type': '2',
        delimiter: '/',
        prefix,
        'continuation-token': next,
      }),
    objectUrl: (key) => new URL(`${base}/${keyPath(key)}`),
  };
}

/** The storage of a source. Throws an `InputError` for an endpoint or a signature that cannot be used. */
export function azureStore(source: AzureBlobSource, name: string): ObjectStore {
  const { account, container, sas, key } = source;
  const url = parseSourceUrl(source.endpoint ?? `https://${account}.blob.core.windows.net`, `The endpoint of ${name}`);
  const base = `${url.origin}${url.pathname.replace(/\/$/, '')}/${container}`;
  const signature = new URLSearchParams(sas?.reveal().replace(/^.*\?/s, '') ?? '');
  if (sas && !signature.has('sig')) throw refusal('wrongSas', { name });
  const withSas = (address: URL): URL => {
    for (const [parameter, value] of signature) address.searchParams.append(parameter, value);
    return address;
  };
  return {
    base,
    ...(key && { auth: { azure: { account, key } } }),
    secrets: secretTexts(sas ? [sas.reveal(), signature.get('sig') ?? ''] : []),
    place: `${account}/${container}`,
    headers: { 'x-ms-version': azureVersion },
    elements: { item: 'Blob', path: 'Name', etag: 'Etag', modified: 'Last-Modified' },
    nextOf: ({ NextMarker }) => NextMarker,
    listUrl: (prefix, next) =>
      withSas(listingAt(base, { restype: 'container', comp: 'list', delimiter: '/', prefix, marker: next })),
    objectUrl: (path) => withSas(new URL(`${base}/${keyPath(path)}`)),
  };
}
