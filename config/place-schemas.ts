// The schemas of directories, databases and object storage as a source: LDAP, SQL, S3, Azure Blob.
import { z } from 'zod';
import { ldapDefaults, sqlDefaults, storeDefaults } from '../src/core/rows/source.ts';
import {
  address,
  choice,
  count,
  duration,
  filePath,
  list,
  secretText,
  text,
  wordOf,
  secretUrl,
  size,
} from '../src/core/settings/values.ts';

/** How long and how often a remote place is asked, with its own defaults, ms and bytes. */
export const limitsOf = (
  { timeout, deadline, attempts }: { timeout: number; deadline: number; attempts: number },
  longest = 'The longest silence: before the answer begins, or between two parts of it.',
) => ({
  timeout: duration().prefault(timeout).describe(longest),
  deadline: duration().prefault(deadline).describe('The longest time for all of it.'),
  attempts: count(1, 100).prefault(attempts).describe('The most attempts of one request, for temporary errors.'),
});
export const maxBytes = (fallback: number) => size().prefault(fallback).describe('The most bytes for all of it.');

/** Authorities of your own that vouch for a server. */
const caFile = () =>
  filePath('./company-ca.pem')
    .exactOptional()
    .describe('A PEM file with the authorities that signed the certificate of the server, if it is your own.');

const filter = (example: string, description: string) =>
  text()
    .refine((value) => value.startsWith('(') && value.endsWith(')'), {
      error: 'must be a filter in parentheses, like (objectClass=inetOrgPerson)',
    })
    .meta({ description, form: 'filter', example });
const nested = ['auto', 'chain', 'walk', 'none'] as const;

export const Ldap = z
  .strictObject({
    url: address()
      .refine((value) => /^ldaps?:\/\/[^/?#@\s]+\/?$/i.test(value), {
        error: 'must be an address like ldaps://dc1.acme.example, without a path',
      })
      .meta({ example: 'ldaps://dc1.acme.example' })
      .describe('The address: `ldaps`, or `ldap` with `startTls`.'),
    startTls: choice()
      .prefault(ldapDefaults.startTls)
      .describe('Protects an `ldap` connection before anything is sent over it.'),
    caFile: caFile(),
    bindDn: text().meta({ example: 'CN=sync,OU=Service,DC=acme,DC=example' }).describe('The account that reads.'),
    password: secretText().describe('Its password.'),
    base: text().meta({ example: 'OU=People,DC=acme,DC=example' }).describe('Where the people are.'),
    filter: filter(
      '(objectClass=inetOrgPerson)',
      'Which entries are people. Unless set, `(&(objectCategory=person)(objectClass=user))` for Active Directory, else `(objectClass=inetOrgPerson)`.',
    ).exactOptional(),
    attributes: list(text(), 'attributes')
      .meta({ example: ['employeeType'] })
      .exactOptional()
      .describe('Attributes to read besides the usual ones and those that the rules name.'),
    groups: z
      .strictObject(
        {
          base: text().meta({ example: 'OU=Groups,DC=acme,DC=example' }).describe('Where the groups are.'),
          filter: filter('(cn=ACL-*)', 'Which groups count.'),
          name: text().meta({ example: 'displayName' }).prefault('cn').describe('The attribute that names a group.'),
          nested: wordOf(nested)
            .prefault('auto')
            .describe(
              'How groups inside groups are resolved: `chain` asks Active Directory, `walk` reads all groups under `base`, `none` leaves them out. `auto` is `chain` for Active Directory, else `walk`.',
            ),
        },
        { error: 'must be settings like { base: "OU=Groups,DC=acme,DC=example", filter: "(cn=ACL-*)" }' },
      )
      .exactOptional(),
    pageSize: count(1, 1000)
      .prefault(ldapDefaults.pageSize)
      .describe('The number of entries on a page; Active Directory gives 1,000 at most.'),
    ...limitsOf(ldapDefaults, 'The longest time for one page.'),
  })
  .superRefine(({ url, startTls }, context) => {
    const isPlain = url.toLowerCase().startsWith('ldap://');
    if (isPlain === startTls) return;
    const message = isPlain
      ? 'begins with ldap://, which would send the password and people unencrypted: use ldaps://, or set startTls: true'
      : 'begins with ldaps://, which is protected from the start: leave out startTls';
    context.addIssue({ code: 'custom', path: ['url'], message });
  });
export type LdapSource = z.output<typeof Ldap>;

export const Sql = z.strictObject({
  url: secretUrl(['postgres', 'postgresql', 'mysql', 'mariadb', 'sqlserver'])
    // A driver would take them for its own settings: `?sslmode=disable` turns the protection off.
    .refine((url) => !/[?#]/.test(url.reveal()), { error: 'must end with the name of the database: leave out ? and #' })
    .meta({
      description:
        'The database with user name and password: `postgres://`, `mysql://` or `sqlserver://`. The account needs only the right to read.',
      secret: 'all',
      example: 'postgres://reader@db.example.com/hr',
    }),
  query: text(100_000)
    .refine((value) => /^\s*(?:select|with|values|table)\b/i.test(value), {
      error: 'must be one query that begins with SELECT or WITH',
    })
    .meta({ example: 'SELECT first_name, last_name, email, department AS groups FROM staff' })
    .describe('One query. Its columns are those of the roster; name them with `AS`.'),
  caFile: caFile(),
  ...limitsOf(sqlDefaults, 'The longest time for one answer.'),
});
export type SqlSource = z.output<typeof Sql>;

const part = (name: string, pattern: RegExp, like: string) =>
  text()
    .refine((value) => pattern.test(value), { error: `must be ${name} like ${like}` })
    .meta({ example: like });
const endpoint = (example: string, description: string) => address().exactOptional().meta({ description, example });

const shared = {
  path: text(1024)
    .refine((value) => !value.startsWith('/'), { error: 'must begin without a /' })
    .meta({
      description:
        'The object, such as `hr/staff-*.csv`; `*` and `?` stand for any text and any character. The newest match is read.',
      form: 'path',
      example: 'hr/staff-*.csv',
    }),
  ...limitsOf(storeDefaults),
  maxBytes: maxBytes(storeDefaults.maxBytes),
};

export const S3 = z
  .strictObject({
    bucket: part('the name of a bucket', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'acme-exports').describe('The bucket.'),
    region: part('a region', /^[a-z0-9-]{1,40}$/, 'eu-central-1').describe(
      'Its region, such as `eu-central-1`; other storage than AWS often takes `us-east-1`.',
    ),
    accessKeyId: text()
      .meta({ example: 'AKIAIOSFODNN7EXAMPLE' })
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
