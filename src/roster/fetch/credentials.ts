// Builds the credentials of an HTTP source: basic, bearer, OAuth 2.0, signed statements in place of a secret.
import { attempt, parseJson } from '../../core/attempt.ts';
import { constants, createHash, createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto';
import type { HttpAuth, HttpSource, SignedAuth } from '../roster-file.ts';
import { InputError, refusal } from '../../core/errors.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { secretsOfHeader, secretsOfUrl, secretTexts, mayBeKey } from '../../core/secrets/secret-parts.ts';
import { escapeText } from '../../core/text/format.ts';
import { type TokenRequest } from './http-message.ts';
import { defined } from '../../core/defined.ts';

export type OAuth2 = NonNullable<HttpAuth['oauth2']>;

/** `Basic` with user name and password (RFC 7617, UTF-8). The secret is what stands after the scheme. */
function basicToken(username: string, password: Secret): Secret {
  if (username.includes(':')) throw new InputError('A user name for Basic authentication cannot have a colon in it.');
  return new Secret(Buffer.from(`${username}:${password.reveal()}`).toString('base64'));
}

/** RFC 9110, 5.5 and 5.6.2. */
const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** Those of the settings, and what signs in with a password or a fixed token. Throws an `InputError` for one that cannot be sent. */
export function fixedHeaders({ auth = {}, headers = {} }: HttpSource, name: string): Record<string, string> {
  const fixed: Record<string, string> = { accept: 'application/json, text/csv;q=0.9, */*;q=0.8' };
  for (const [header, value] of Object.entries(headers)) fixed[header.toLowerCase()] = value.reveal();
  if (auth.basic) fixed['authorization'] = `Basic ${basicToken(auth.basic.username, auth.basic.password).reveal()}`;
  if (auth.bearer) fixed['authorization'] = `Bearer ${auth.bearer.reveal()}`;
  for (const [header, value] of Object.entries(fixed)) {
    if (!headerText.test(value) || !headerName.test(header))
      throw refusal('wrongHeader', { name, header: escapeText(header) });
  }
  return fixed;
}

/** All that a server could echo, in the forms in which it goes over the wire; where a key is all there is, it is sent as user name. */
export function secretsOfHttp({ auth = {}, headers = {}, query = {}, body, url }: HttpSource): Secret[] {
  const { basic, bearer, oauth2, signed, aws, azure, oauth1 } = auth;
  // A name with a colon cannot be sent; who reads the source says so.
  const isSent = basic && !basic.username.includes(':');
  const found = [
    isSent && basicToken(basic.username, basic.password),
    isSent && new Secret(basic.username),
    ...[basic?.password, bearer, aws?.secretAccessKey, aws?.sessionToken, azure?.key, oauth1?.consumerSecret],
    ...[oauth2?.refreshToken, oauth2?.clientSecret],
    oauth2?.clientSecret && clientToken(oauth2.clientId, oauth2.clientSecret),
    // The key as it was given, and as it is used.
    ...(signed ? [signed.key, new Secret(keyParts(signed.key).pem)] : []),
    ...Object.entries(headers).flatMap(([name, value]) => secretsOfHeader(name, value)),
    ...secretTexts([...Object.values(query).map((value) => value.reveal()), ...textsIn(body).filter(mayBeKey)]),
    ...secretsOfUrl(url),
  ];
  return found.filter((secret) => secret instanceof Secret);
}

function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return [body];
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : [];
}

/** The same for a client of OAuth (RFC 6749, section 2.3.1). */
function clientToken(clientId: string, clientSecret: Secret): Secret {
  return basicToken(encodeURIComponent(clientId), new Secret(encodeURIComponent(clientSecret.reveal())));
}

/** The request that turns id and secret, or a refresh token, into a token (RFC 6749, sections 4.4.2 and 6). */
export function tokenRequest(oauth2: OAuth2, refreshToken?: Secret): TokenRequest {
  const { tokenUrl, clientId, clientSecret, scope, audience, credentials } = oauth2;
  const grant = refreshToken
    ? { grant_type: 'refresh_token', refresh_token: refreshToken.reveal() }
    : { grant_type: 'client_credentials' };
  const asked = { ...grant, ...defined({ scope, audience }) };
  if (clientSecret && credentials === 'header')
    return formRequest(tokenUrl, asked, { authorization: `Basic ${clientToken(clientId, clientSecret).reveal()}` });
  const client = defined({ client_id: clientId, client_secret: clientSecret?.reveal() });
  return formRequest(tokenUrl, { ...asked, ...client });
}

function formRequest(url: string, form: Record<string, string>, more: Record<string, string> = {}): TokenRequest {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...more };
  return { url, headers, body: new URLSearchParams(form).toString() };
}

/** The error that an answer names (RFC 6749, section 5.2); undefined for none. */
export function errorIn(answer: unknown): string | undefined {
  const { error } = (answer ?? {}) as { error?: unknown };
  return typeof error === 'string' && /^[\x21-\x7e]{1,100}$/.test(error) ? error : undefined;
}

/** The refresh token of an answer. Throws an `InputError` for one that no form could hold. */
export function refreshTokenIn(answer: unknown): Secret | undefined {
  const { refresh_token: token } = (answer ?? {}) as { refresh_token?: unknown };
  if (token === undefined || token === null) return undefined;
  if (typeof token === 'string' && /^[\x20-\x7e]{1,65536}$/.test(token)) return new Secret(token);
  throw new InputError('the answer to the request for a token has a refresh_token that is none.');
}

/** What is longer than any token, and what no token has: blanks and line ends could break out of a header. */
const tokenText = /^[\x21-\x7e]{1,65536}$/;
/** The time before its end at which a token is renewed, ms. */
const margin = 60_000;
/** RFC 6749 leaves open what a missing `expires_in` means; a 401 renews it in any case. */
const defaultLifeSeconds = 600;

/** Reads the answer to a token request. Throws an `InputError` that shows none of it. */
export function readToken(answer: unknown, now: number): { token: Secret; until: number } {
  const { access_token: token, expires_in: life } = (answer ?? {}) as { access_token?: unknown; expires_in?: unknown };
  if (typeof token !== 'string' || !tokenText.test(token)) throw refusal('noAccessToken', {});
  const seconds = Number(life);
  const lasts = Number.isFinite(seconds) && seconds > 0 ? seconds : defaultLifeSeconds;
  return { token: new Secret(token), until: now + Math.max(lasts * 1000 - margin, 0) };
}

/** How long a statement holds, s. Entra and Okta advise 5 minutes; Google allows an hour. */
const lifeSeconds = 300;

const bearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const clientBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * The request that turns a signed statement into a token (RFC 7523).
 * @param now the time, ms
 * @param id never used before; servers refuse a statement that they have seen
 * @returns the request, and the statement, which must not be shown
 * @throws InputError for a key or a certificate that cannot be used; shows nothing of it
 */
export function signedTokenRequest(
  signed: SignedAuth,
  name: string,
  now: number,
  id: string,
): { request: TokenRequest; statement: Secret } {
  const { tokenUrl, by, algorithm, subject, certificate, scope } = signed;
  const { pem, issuer = signed.issuer ?? '', keyId = signed.keyId } = keyParts(signed.key);
  const seconds = Math.floor(now / 1000);
  const header = {
    alg: algorithm,
    typ: 'JWT',
    ...(keyId ? { kid: keyId } : {}),
    ...(certificate ? { 'x5t#S256': thumbprint(certificate, name) } : {}),
  };
  const claims = {
    iss: issuer,
    sub: subject ?? issuer,
    aud: tokenUrl,
    jti: id,
    iat: seconds,
    nbf: seconds,
    exp: seconds + lifeSeconds,
    ...(by === 'grant' && scope !== undefined ? { scope } : {}),
  };
  const privateKey = attempt(() => createPrivateKey(pem));
  if (!privateKey) throw refusal('unreadableKey', { name });
  const text = `${encoded(header)}.${encoded(claims)}`;
  const statement = `${text}.${signatureOf(text, algorithm, privateKey)}`;
  const form =
    by === 'grant'
      ? { grant_type: bearer, assertion: statement }
      : {
          grant_type: 'client_credentials',
          client_id: issuer,
          client_assertion_type: clientBearer,
          client_assertion: statement,
          ...defined({ scope }),
        };
  return { request: formRequest(tokenUrl, form), statement: new Secret(statement) };
}

/** A key, and what the JSON of a Google service account says beside it. Line ends may be written as `\\n`. */
function keyParts(key: Secret): { pem: string; issuer?: string; keyId?: string } {
  const text = key.reveal().trim();
  const parsed = text.startsWith('{') ? (parseJson(text) as Record<string, unknown> | undefined) : undefined;
  const textOf = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined;
  const [issuer, keyId] = [textOf(parsed?.['client_email']), textOf(parsed?.['private_key_id'])];
  return {
    pem: (textOf(parsed?.['private_key']) ?? text).replaceAll('\\n', '\n'),
    ...defined({ issuer, keyId }),
  };
}

function thumbprint(certificate: string, name: string): string {
  const read = attempt(() => new X509Certificate(certificate.replaceAll('\\n', '\n')));
  if (!read) throw refusal('unreadableCertificate', { name });
  return createHash('sha256').update(read.raw).digest('base64url');
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** RS256, or PS256 (RFC 7518, sections 3.3 and 3.5). */
function signatureOf(text: string, algorithm: string, key: KeyObject): string {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return sign('sha256', Buffer.from(text), { key, ...(algorithm === 'PS256' ? pss : {}) }).toString('base64url');
}
