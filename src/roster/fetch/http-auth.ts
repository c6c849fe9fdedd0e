// Builds the credentials of an HTTP source: basic, bearer, OAuth 2.0.
import type { HttpAuth } from '../source-location.ts';
import { InputError } from '../../core/errors.ts';
import { Secret } from '../../core/secrets/secret.ts';
import type { TokenRequest } from './http-message.ts';
import { secretsOfSigned } from './signed-token.ts';

type OAuth2 = NonNullable<HttpAuth['oauth2']>;

/** `Basic` with user name and password (RFC 7617, UTF-8). The secret is what stands after the scheme. */
export function basicToken(username: string, password: Secret): Secret {
  if (username.includes(':')) throw new InputError('A user name for Basic authentication cannot have a colon in it.');
  return new Secret(Buffer.from(`${username}:${password.reveal()}`).toString('base64'));
}

/**
 * The secrets that an authentication brings along, for hiding them wherever a server echoes them. The user name too:
 * where a key is all there is, it is sent as that.
 */
export function secretsOf({ basic, bearer, oauth2, signed, aws, azure, oauth1, signIn }: HttpAuth): Secret[] {
  return [
    ...(basic ? [basicToken(basic.username, basic.password), basic.password, new Secret(basic.username)] : []),
    ...(bearer ? [bearer] : []),
    ...(aws ? [aws.secretAccessKey, ...(aws.sessionToken ? [aws.sessionToken] : [])] : []),
    ...(azure ? [azure.key] : []),
    ...(oauth1 ? [oauth1.consumerSecret] : []),
    ...(signIn ? [signIn.key, ...(signIn.clientSecret ? [signIn.clientSecret] : [])] : []),
    ...(signed ? secretsOfSigned(signed) : []),
    ...(oauth2
      ? [
          oauth2.clientSecret,
          basicToken(encodeURIComponent(oauth2.clientId), new Secret(encodeURIComponent(oauth2.clientSecret.reveal()))),
        ]
      : []),
  ];
}

/** The request that turns id and secret into a token (RFC 6749, sections 2.3.1 and 4.4.2). */
export function tokenRequest(oauth2: OAuth2): TokenRequest {
  const { tokenUrl, clientId, clientSecret, scope, audience, credentials } = oauth2;
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) form.set('scope', scope);
  if (audience !== undefined) form.set('audience', audience);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (credentials === 'body') {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret.reveal());
  } else {
    const pair = basicToken(encodeURIComponent(clientId), new Secret(encodeURIComponent(clientSecret.reveal())));
    headers['authorization'] = `Basic ${pair.reveal()}`;
  }
  return { url: tokenUrl, headers, body: form.toString() };
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
  if (typeof token !== 'string' || !tokenText.test(token)) {
    throw new InputError('the answer to the request for a token has no access_token in it.');
  }
  const seconds = Number(life);
  const lasts = Number.isFinite(seconds) && seconds > 0 ? seconds : defaultLifeSeconds;
  return { token: new Secret(token), until: now + Math.max(lasts * 1000 - margin, 0) };
}
