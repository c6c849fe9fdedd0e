// The schemas of object storage as a source: S3 and Azure Blob.
import { z } from 'zod';
import { oneOf, address, choice, secretText, size, text, textUpTo } from '../../core/settings/values.ts';
import { bounds } from '../shared-settings.ts';

export const storeDefaults = { timeout: 120_000, deadline: 3_600_000, attempts: 6, maxBytes: 2 * 1024 ** 3 } as const;

const part = (name: string, pattern: RegExp, like: string) =>
  text().refine((value) => pattern.test(value), { error: `must be ${name} like ${like}` });

const shared = {
  path: textUpTo(1024).refine((value) => !value.startsWith('/'), { error: 'must begin without a /' }),
  ...bounds(storeDefaults),
  maxBytes: size().prefault(storeDefaults.maxBytes),
};

export const S3 = z
  .strictObject({
    bucket: part('the name of a bucket', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'acme-exports'),
    region: part('a region', /^[a-z0-9-]{1,40}$/, 'eu-central-1'),
    accessKeyId: text().exactOptional(),
    secretAccessKey: secretText().exactOptional(),
    sessionToken: secretText().exactOptional(),
    endpoint: address().exactOptional(),
    pathStyle: choice().exactOptional(),
    ...shared,
  })
  .refine(({ accessKeyId, secretAccessKey }) => (accessKeyId === undefined) === (secretAccessKey === undefined), {
    error: 'must have both of accessKeyId and secretAccessKey, or none',
  })
  .refine(({ accessKeyId, sessionToken }) => accessKeyId !== undefined || sessionToken === undefined, {
    error: 'must have no sessionToken without accessKeyId',
  });
export type S3Source = z.output<typeof S3>;

export const AzureBlob = z
  .strictObject({
    account: part('the name of a storage account', /^[a-z0-9]{3,24}$/, 'acmeexports'),
    container: part('the name of a container', /^(?:[a-z0-9](?:-?[a-z0-9]){2,62}|\$root)$/, 'hr-exports'),
    sas: secretText().exactOptional(),
    key: secretText().exactOptional(),
    endpoint: address().exactOptional(),
    ...shared,
  })
  .superRefine(oneOf(['sas', 'key'], 'must have exactly one of sas and key'));
export type AzureBlobSource = z.output<typeof AzureBlob>;
