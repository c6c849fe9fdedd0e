// The forms that a client sends to a sign-in service, and what the answers say.
import type { SignInAuth } from '../../../config/fetch-schema.ts';
import { InputError } from '../../core/errors.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { basicToken } from '../fetch/http-auth.ts';
import type { TokenRequest } from '../fetch/http-message.ts';

/** A form to an address, with the proof of who the client is (RFC 6749, section 2.3.1). */
export function formOf(
  { clientId, clientSecret, credentials }: SignInAuth,
  url: string,
  fields: Readonly<Record<string, string>>,
): TokenRequest {
  const form = new URLSearchParams(fields);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (clientSecret && credentials === 'header') {
    const secret = new Secret(encodeURIComponent(clientSecret.reveal()));
    headers['authorization'] = `Basic ${basicToken(encodeURIComponent(clientId), secret).reveal()}`;
  } else {
    form.set('client_id', clientId);
    if (clientSecret) form.set('client_secret', clientSecret.reveal());
  }
  return { url, headers, body: form.toString() };
}

/** The error that an answer names (RFC 6749, section 5.2); undefined for none. */
export function errorIn(answer: unknown): string | undefined {
  const { error } = (answer ?? {}) as { error?: unknown };
  return typeof error === 'string' && /^[\x21-\x7e]{1,100}$/.test(error) ? error : undefined;
}

/** The refresh token of an answer. Throws an `InputError` for one that no header or form could hold. */
export function refreshTokenIn(answer: unknown): Secret | undefined {
  const { refresh_token: token } = (answer ?? {}) as { refresh_token?: unknown };
  if (token === undefined || token === null) return undefined;
  if (typeof token === 'string' && /^[\x20-\x7e]{1,65536}$/.test(token)) return new Secret(token);
  throw new InputError('the answer to the request for a token has a refresh_token that is none.');
}
