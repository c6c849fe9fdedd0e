// Gets an access token with the refresh token of a sign-in.
import type { SignInAuth } from '../../../config/fetch-schema.ts';
import { InputError } from '../../core/errors.ts';
import type { Secret } from '../../core/secrets/secret.ts';
import { readToken } from '../fetch/http-auth.ts';
import type { TokenRequest } from '../fetch/http-message.ts';
import type { SignInFile } from './sign-in-file.ts';
import { errorIn, formOf, refreshTokenIn } from './token-form.ts';

/** What a refresh works with. */
export interface Refreshing {
  name: string;
  now: number;
  file: SignInFile;
  /** Sends a form; gives the JSON of a success and of a refusal alike. Passing trouble is thrown. */
  send(request: TokenRequest): Promise<{ status: number; answer: unknown }>;
  /** Is notified of each secret before it goes anywhere. */
  onSecret(secret: Secret): void;
}

/**
 * A new access token. A refresh token that replaces the one before is on the disk before this returns (RFC 6749, section
 * 6). Throws an `InputError` where nobody has signed in, or the sign-in has ended.
 */
export async function refreshed(
  auth: SignInAuth,
  { name, now, file, send, onSecret }: Refreshing,
): Promise<{ token: Secret; until: number }> {
  const kept = await file.read();
  if (!kept) throw new InputError(`${name}: nobody has signed in. Run \`roster-sync connect ${name}\`.`);
  onSecret(kept);
  const form = formOf(auth, auth.tokenUrl, { grant_type: 'refresh_token', refresh_token: kept.reveal() });
  const { status, answer } = await send(form);
  if (status === 200) {
    const token = readToken(answer, now);
    const next = refreshTokenIn(answer);
    if (next) onSecret(next);
    if (next && next.reveal() !== kept.reveal()) await file.write(next);
    return token;
  }
  const error = errorIn(answer);
  if (error === 'invalid_grant') {
    const newer = await file.read();
    // Another process has renewed it meanwhile.
    if (newer && newer.reveal() !== kept.reveal()) return refreshed(auth, { name, now, file, send, onSecret });
    throw new InputError(
      `${name}: the sign-in has ended or was revoked. Run \`roster-sync connect ${name}\`. None of it was used.`,
    );
  }
  throw new InputError(
    `${name}: its sign-in service answered ${status}${error === undefined ? '' : ` (${error})`}. Check auth.signIn.`,
  );
}
