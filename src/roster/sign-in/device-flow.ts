// Signs a person in on another device (RFC 8628), and keeps the refresh token.
import type { SignInAuth } from '../../../config/fetch-schema.ts';
import { InputError } from '../../core/errors.ts';
import { httpDefaults } from '../../core/rows/source.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { HttpClient } from '../fetch/http-client.ts';
import { parseJson, type TokenRequest } from '../fetch/http-message.ts';
import { parseSourceUrl, showUrl } from '../fetch/http-url.ts';
import type { SourceDeps } from '../source-deps.ts';
import type { SignInFile } from './sign-in-file.ts';
import { errorIn, formOf, refreshTokenIn } from './token-form.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
const answerBytes = 64 * 1024;
/** What RFC 8628, section 3.5, adds where a client asks too often; and where the server names no interval. */
const slowerSeconds = 5;

/** Where a person signs in, and with which code. */
export interface Invitation {
  url: string;
  code: string;
  /** How long the code holds, s. */
  seconds: number;
}

/**
 * Asks for a code, shows it, waits until the person has signed in, and keeps the refresh token. Throws an `InputError`
 * where the person refuses, the code ends, or the service gives no refresh token.
 */
export async function connectByDevice(
  auth: SignInAuth,
  file: SignInFile,
  deps: SourceDeps,
  show: (invitation: Invitation) => void,
): Promise<void> {
  const { name, now, wait, signal } = deps;
  const secrets = [auth.key, ...(auth.clientSecret ? [auth.clientSecret] : [])];
  const client = new HttpClient({ ...httpDefaults, url: auth.deviceUrl }, { ...deps, secrets });
  const send = async ({ url, headers, body }: TokenRequest): Promise<{ status: number; answer: unknown }> => {
    const target = parseSourceUrl(url, `The address of auth.signIn of ${name}`);
    const request = { url: target, method: 'POST' as const, headers, body, accept: [400, 401, 403] };
    const read = await client.read(request, answerBytes);
    return { status: read.status, answer: parseJson(read.body.toString('utf8')) };
  };
  try {
    const scope = auth.scope === undefined ? {} : { scope: auth.scope };
    const begun = await send(formOf(auth, auth.deviceUrl, scope));
    if (begun.status !== 200) throw refused(name, begun.answer, begun.status);
    const { deviceCode, interval, ...invitation } = invitationIn(begun.answer, name);
    show(invitation);
    const end = now().getTime() + invitation.seconds * 1000;
    for (let pause = interval; ;) {
      await wait(pause * 1000, signal);
      if (now().getTime() > end)
        throw new InputError(`${name}: the code has ended. Run \`roster-sync connect ${name}\` again.`);
      const fields = { grant_type: grantType, device_code: deviceCode.reveal() };
      const { status, answer } = await send(formOf(auth, auth.tokenUrl, fields));
      const error = errorIn(answer);
      if (error === 'authorization_pending') continue;
      if (error === 'slow_down') {
        pause += slowerSeconds;
        continue;
      }
      if (status !== 200) throw refused(name, answer, status);
      const token = refreshTokenIn(answer);
      if (!token) {
        throw new InputError(
          `${name}: the service gave no refresh token, so the sign-in would end soon. Ask for the scope that gives one, often offline_access (auth.signIn.scope).`,
        );
      }
      return await file.write(token);
    }
  } finally {
    await client.close();
  }
}

function refused(name: string, answer: unknown, status: number): InputError {
  const error = errorIn(answer);
  if (error === 'access_denied') return new InputError(`${name}: the sign-in was refused. Nothing was kept.`);
  if (error === 'expired_token') {
    return new InputError(`${name}: the code has ended. Run \`roster-sync connect ${name}\` again.`);
  }
  return new InputError(
    `${name}: its sign-in service answered ${status}${error === undefined ? '' : ` (${error})`}. Check auth.signIn.`,
  );
}

function invitationIn(answer: unknown, name: string): Invitation & { deviceCode: Secret; interval: number } {
  const found = (answer ?? {}) as Record<string, unknown>;
  const textOf = (key: string): string => {
    const value = found[key];
    return typeof value === 'string' && /^[\x20-\x7e]{1,2000}$/.test(value) ? value : '';
  };
  const [deviceCode, code, plain] = [textOf('device_code'), textOf('user_code'), textOf('verification_uri')];
  const url = textOf('verification_uri_complete') || plain;
  const [seconds, interval] = [Number(found['expires_in']), Number(found['interval'] ?? slowerSeconds)];
  if (deviceCode === '' || code === '' || url === '' || !(seconds > 0) || !(interval >= 0)) {
    throw new InputError(`${name}: the answer of its sign-in service has no code. Check auth.signIn.deviceUrl.`);
  }
  // A person opens it: it must be an address of the web, and protected.
  showUrl(parseSourceUrl(url, `The address to sign in at of ${name}`));
  return { url, code, seconds, interval, deviceCode: new Secret(deviceCode) };
}
