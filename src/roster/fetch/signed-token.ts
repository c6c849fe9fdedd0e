// Signs the statement that an HTTP source gives for a token, in place of a secret.
import { refusal } from '../../core/words/say.ts';
import { constants, createHash, createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto';
import { defined } from '../../core/defined.ts';
import type { SignedAuth } from '../source-location.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { parseJson, type TokenRequest } from './http-message.ts';

/** How long a statement holds, s. Entra and Okta advise 5 minutes; Google allows an hour. */
const lifeSeconds = 300;

const bearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const clientBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The secrets of a signed authentication: the key, as it was given and as it is used. */
export function secretsOfSigned({ key }: SignedAuth): Secret[] {
  const { pem } = keyParts(key);
  return pem === key.reveal() ? [key] : [key, new Secret(pem)];
}

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
  const text = `${encoded(header)}.${encoded(claims)}`;
  const statement = `${text}.${signatureOf(text, algorithm, readKey(pem, name))}`;
  const form =
    by === 'grant'
      ? new URLSearchParams({ grant_type: bearer, assertion: statement })
      : new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: issuer,
          client_assertion_type: clientBearer,
          client_assertion: statement,
          ...defined({ scope }),
        });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  return { request: { url: tokenUrl, headers, body: form.toString() }, statement: new Secret(statement) };
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

function readKey(pem: string, name: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw refusal('unreadableKey', { name });
  }
}

function thumbprint(certificate: string, name: string): string {
  try {
    return createHash('sha256')
      .update(new X509Certificate(certificate.replaceAll('\\n', '\n')).raw)
      .digest('base64url');
  } catch {
    throw refusal('unreadableCertificate', { name });
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** RS256, or PS256 (RFC 7518, sections 3.3 and 3.5). */
function signatureOf(text: string, algorithm: string, key: KeyObject): string {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return sign('sha256', Buffer.from(text), { key, ...(algorithm === 'PS256' ? pss : {}) }).toString('base64url');
}
