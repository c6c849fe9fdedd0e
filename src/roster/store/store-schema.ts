// The schemas of object storage as a source: S3 and Azure Blob.
import { z } from 'zod';
import { address, choice, secretText, text, textUpTo } from '../../core/settings/values.ts';
import { bounds, maxBytes } from '../shared-settings.ts';

export const storeDefaults = { timeout: 120_000, deadline: 3_600_000, attempts: 6, maxBytes: 2 * 1024 ** 3 } as const;

const part = (name: string, pattern: RegExp, like: string) =>
  text()
    .refine((value) => pattern.test(value), { error: `must be ${name} like ${like}` })
    .meta({ example: like });
const endpoint = (example: string, description: string) => address().exactOptional().meta({ description, example });

const shared = {
  path: textUpTo(1024)
    .refine((value) => !value.startsWith('/'), { error: 'must begin without a /' })
    .meta({
      description:
        'The object, such as `hr/staff-*.csv`; `*` and `?` stand for any text and any character. The newest match is read.',
      form: 'path',
      example: 'hr/staff-*.csv',
    }),
  ...bounds(storeDefaults),
  maxBytes: maxBytes(storeDefaults),
};

export const S3 = z
  .strictObject({
    bucket: part('the name of a bucket', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'acme-exports').describe('The bucket.'),
    region: part('a region', /^[a-z0-9-]{1,40}$/, 'eu-central-1').describe(
      'Its region, such as `eu-central-1`; other storage than AWS often takes `us-east-1`.',
    ),
    accessKeyId: text('AKIAIOSFODNN7EXAMPLE')
      .exactOptional()
      .describe(
        'The id of the access key. Without a key: the role of the machine, container or service account, or the profile; see docs/connectors.md.',
      ),
    secretAccessKey: secretText().exactOptional().describe('The secret of the access key.'),
    sessionToken: secretText().exactOptional().describe('The session token of temporary credentials.'),
    endpoint: endpoint(
      'https://minio.example.com',
      'The address of other storage than AWS (MinIO): `https`; plain `http` on this machine only.',
    ),
    pathStyle: choice()
      .exactOptional()
      .describe(
        'Whether the bucket is in the path of the address instead of in the name of the host. Unless set: with an `endpoint`, and for a bucket with a dot.',
      ),
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
    account: part('the name of a storage account', /^[a-z0-9]{3,24}$/, 'acmeexports').describe('The storage account.'),
    container: part('the name of a container', /^(?:[a-z0-9](?:-?[a-z0-9]){2,62}|\$root)$/, 'hr-exports').describe(
      'The container.',
    ),
    sas: secretText()
      .exactOptional()
      .describe('A shared access signature with the rights to read and list: `sv=…&sig=…`.'),
    key: secretText()
      .exactOptional()
      .describe('A key of the account, instead of `sas`. It can do everything: prefer `sas`.'),
    endpoint: endpoint(
      'https://storage.example.com',
      'The address of the account if it is not `https://ACCOUNT.blob.core.windows.net`; plain `http` on this machine only.',
    ),
    ...shared,
  })
  .refine(({ sas, key }) => (sas === undefined) !== (key === undefined), {
    error: 'must have exactly one of sas and key',
  });
export type AzureBlobSource = z.output<typeof AzureBlob>;
