// Signs single requests of an HTTP source: S3, Azure storage, OAuth 1.0a.
import { createHmac } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { defined } from '../../core/defined.ts';
import type { HttpAuth } from '../roster-file.ts';
import type { Signable } from './http-message.ts';

/** The version of Azure storage that is spoken to; a signature covers it. */
export const azureVersion = '2021-12-02';

/** SHA-256 of nothing: no request has a body. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The headers that sign one request; none where the source signs nothing. They hold for some minutes only. */
export async function signatureOf(
  { aws, azure, oauth1 }: HttpAuth,
  request: Signable,
): Promise<Record<string, string>> {
  if (oauth1) return { authorization: oauth1Header(oauth1, request) };
  if (aws) return awsSignature(aws, request);
  return azure ? azureSignature(azure, request) : {};
}

async function awsSignature(
  { accessKeyId, secretAccessKey, sessionToken, region }: NonNullable<HttpAuth['aws']>,
  { url, method, now }: Signable,
): Promise<Record<string, string>> {
  const { headers } = await new AwsV4Signer({
    url: url.href,
    method,
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey: secretAccessKey.reveal(),
    ...defined({ sessionToken: sessionToken?.reveal() }),
    headers: { 'x-amz-content-sha256': emptyHash },
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  }).sign();
  const signed = Object.fromEntries(headers) as Record<string, string>;
  delete signed['host'];
  return signed;
}

/** The headers whose values stand in the text that is signed, in this order. */
const covered = [
  ...['content-encoding', 'content-language', 'content-length', 'content-md5', 'content-type', 'date'],
  ...['if-modified-since', 'if-match', 'if-none-match', 'if-unmodified-since', 'range'],
];

/** "Authorize with Shared Key", version 2015-02-21 and later. */
function azureSignature(
  { account, key }: NonNullable<HttpAuth['azure']>,
  { url, method, headers, now }: Signable,
): Record<string, string> {
  const own = { 'x-ms-date': new Date(now).toUTCString(), 'x-ms-version': azureVersion };
  const query = [...url.searchParams].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = [
    ...[method, ...covered.map((name) => headers[name] ?? '')],
    ...Object.entries(own).map(([name, value]) => `${name}:${value}`),
    [`/${account}${url.pathname}`, ...query.map(([name, value]) => `${name.toLowerCase()}:${value}`)].join('\n'),
  ].join('\n');
  const signature = createHmac('sha256', Buffer.from(key.reveal(), 'base64')).update(text).digest('base64');
  return { ...own, authorization: `SharedKey ${account}:${signature}` };
}

/** The header that signs a request with HMAC-SHA256, without a token (section 3.4.2; OneRoster 1.1, section 3.2). */
function oauth1Header(
  { consumerKey, consumerSecret }: NonNullable<HttpAuth['oauth1']>,
  { url, method, now, id }: Signable,
): string {
  const parameters = {
    oauth_consumer_key: consumerKey,
    oauth_nonce: id,
    oauth_signature_method: 'HMAC-SHA256',
    oauth_timestamp: String(Math.floor(now / 1000)),
    oauth_version: '1.0',
  };
  const text = signatureBase(method, url, parameters);
  const signature = createHmac('sha256', `${percentEncoded(consumerSecret.reveal())}&`)
    .update(text)
    .digest('base64');
  const fields = Object.entries({ ...parameters, oauth_signature: signature });
  return `OAuth ${fields.map(([name, value]) => `${name}="${percentEncoded(value)}"`).join(', ')}`;
}

/** What is signed: method, address, and all parameters of its query and of the header, in order (section 3.4.1). */
export function signatureBase(method: string, url: URL, parameters: Readonly<Record<string, string>>): string {
  const all = [...url.searchParams, ...Object.entries(parameters)].map(([name, value]): [string, string] => [
    percentEncoded(name),
    percentEncoded(value),
  ]);
  const sorted = all.toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  const joined = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  return [method, `${url.origin}${url.pathname}`, joined].map(percentEncoded).join('&');
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Percent-encoding of RFC 5849, section 3.6: of every sign that could be written in two ways. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
