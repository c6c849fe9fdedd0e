// Signs a request by OAuth 1.0a (RFC 5849), as OneRoster 1.1 asks for.
import { createHmac } from 'node:crypto';
import type { HttpAuth } from '../source-location.ts';
import type { Signable } from './http-message.ts';

/** The header that signs a request with HMAC-SHA256, without a token (section 3.4.2; OneRoster 1.1, section 3.2). */
export function oauth1Header(
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
  const signature = createHmac('sha256', `${encoded(consumerSecret.reveal())}&`)
    .update(text)
    .digest('base64');
  const fields = Object.entries({ ...parameters, oauth_signature: signature });
  return `OAuth ${fields.map(([name, value]) => `${name}="${encoded(value)}"`).join(', ')}`;
}

/** What is signed: method, address, and all parameters of its query and of the header, in order (section 3.4.1). */
export function signatureBase(method: string, url: URL, parameters: Readonly<Record<string, string>>): string {
  const all = [...url.searchParams, ...Object.entries(parameters)].map(([name, value]): [string, string] => [
    encoded(name),
    encoded(value),
  ]);
  const sorted = all.toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  const joined = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  return [method, `${url.origin}${url.pathname}`, joined].map(encoded).join('&');
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Percent-encoding of section 3.6. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
