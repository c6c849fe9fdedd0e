// How Azure Blob storage is asked.
import type { AzureBlobSource } from '../../../config/store-schema.ts';
import { InputError } from '../../core/errors.ts';
import { secretTexts } from '../../core/secrets/secret-parts.ts';
import { parseSourceUrl } from '../fetch/http-url.ts';
import { azureVersion } from '../fetch/request-signature.ts';
import { keyPath, listingAt, type ObjectStore, storedObject } from './object-store.ts';

/** The storage of a source. Throws an `InputError` for an endpoint or a signature that cannot be used. */
export function azureStore(source: AzureBlobSource, name: string): ObjectStore {
  const { account, container, sas, key } = source;
  const url = parseSourceUrl(source.endpoint ?? `https://${account}.blob.core.windows.net`, `The endpoint of ${name}`);
  const base = `${url.origin}${url.pathname.replace(/\/$/, '')}/${container}`;
  const signature = new URLSearchParams(sas?.reveal().replace(/^.*\?/s, '') ?? '');
  if (sas && !signature.has('sig')) {
    throw new InputError(
      `${name}: azureBlob.sas is not a shared access signature: it has no sig. It begins like sv=2022-11-02&….`,
    );
  }
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
    item: 'Blob',
    listUrl: (prefix, next) =>
      withSas(listingAt(base, { restype: 'container', comp: 'list', delimiter: '/', prefix, marker: next })),
    objectUrl: (path) => withSas(new URL(`${base}/${keyPath(path)}`)),
    readListing({ objects, whole }, where) {
      const next = whole['NextMarker'] ?? '';
      return {
        objects: objects
          .filter(({ ResourceType: kind }) => kind !== 'directory')
          .map(({ Name: path, Etag: etag, 'Last-Modified': modified }) =>
            storedObject(where, { path, etag, modified }),
          ),
        next: next === '' ? undefined : next,
      };
    },
  };
}
