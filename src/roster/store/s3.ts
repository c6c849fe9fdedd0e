// How S3, and storage that speaks as it does, is asked.
import type { S3Source } from '../../../config/store-schema.ts';
import { defined } from '../../core/defined.ts';
import { httpDefaults } from '../../core/rows/source.ts';
import { parseSourceUrl } from '../fetch/http-url.ts';
import type { AwsKeys } from './aws-keys.ts';
import { keyPath, type ObjectStore, storedObject } from './object-store.ts';

/** The storage of a source. Throws an `InputError` for an endpoint that cannot be used. */
export function s3Store(source: S3Source & AwsKeys, name: string): ObjectStore {
  const { bucket, region, accessKeyId, secretAccessKey, sessionToken } = source;
  const { timeout, deadline, attempts, maxBytes } = source;
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = parseSourceUrl(source.endpoint ?? `https://s3.${region}.${suffix}`, `The endpoint of ${name}`);
  // The certificate of AWS does not cover a bucket with a dot in front of the host.
  const isInPath = source.pathStyle ?? (source.endpoint !== undefined || bucket.includes('.'));
  if (!isInPath) url.host = `${bucket}.${url.host}`;
  const base = `${url.origin}${url.pathname.replace(/\/$/, '')}${isInPath ? `/${bucket}` : ''}`;
  return {
    http: {
      ...httpDefaults,
      url: base,
      timeout,
      deadline,
      attempts,
      maxBytes,
      auth: { aws: { accessKeyId, secretAccessKey, region, ...defined({ sessionToken }) } },
    },
    secrets: [],
    place: bucket,
    headers: {},
    item: 'Contents',
    listUrl(prefix, next) {
      const list = new URL(`${base}${isInPath ? '' : '/'}`);
      const asked = {
        'list-type': '2',
        delimiter: '/',
        prefix,
        ...defined({ 'continuation-token': next }),
      };
      for (const [key, value] of Object.entries(asked)) list.searchParams.set(key, value);
      // A + is a blank in a form, but not in a signature.
      list.search = list.search.replaceAll('+', '%20');
      return list;
    },
    objectUrl: (key) => new URL(`${base}/${keyPath(key)}`),
    readListing({ objects, whole }, where) {
      return {
        objects: objects.map(({ Key: key, ETag: etag, LastModified: modified }) =>
          storedObject({ key, etag, modified }, where),
        ),
        next: whole['IsTruncated'] === 'true' ? whole['NextContinuationToken'] : undefined,
      };
    },
  };
}
