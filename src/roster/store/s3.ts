// How S3, and storage that speaks as it does, is asked.
import type { S3Source } from '../../../config/store-schema.ts';
import { defined } from '../../core/defined.ts';
import { parseSourceUrl } from '../fetch/http-url.ts';
import type { AwsKeys } from './aws-keys.ts';
import { keyPath, listingAt, type ObjectStore, storedObject } from './object-store.ts';

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
    item: 'Contents',
    listUrl: (prefix, next) =>
      listingAt(`${base}${isInPath ? '' : '/'}`, {
        'list-type': '2',
        delimiter: '/',
        prefix,
        'continuation-token': next,
      }),
    objectUrl: (key) => new URL(`${base}/${keyPath(key)}`),
    readListing({ objects, whole }, where) {
      return {
        objects: objects.map(({ Key: path, ETag: etag, LastModified: modified }) =>
          storedObject(where, { path, etag, modified }),
        ),
        next: whole['IsTruncated'] === 'true' ? whole['NextContinuationToken'] : undefined,
      };
    },
  };
}
