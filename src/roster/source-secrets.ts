// Lists the secrets of a source, and redacts them.
import type { SourceLocation } from './source-location.ts';
import type { Secret } from '../core/secrets/secret.ts';
import { type Redact, redactor } from '../core/secrets/secret.ts';
import { secretsOfHeader, secretsOfUrl, secretTexts } from '../core/secrets/secret-parts.ts';
import { decoded } from '../core/secrets/url-parts.ts';
import { secretsOf } from './fetch/http-auth.ts';

/**
 * In the forms in which it goes over the wire. The one list: clients, log and whatever keeps a server's text use it.
 */
export function secretsOfSource({ http, sftp, ldap, sql, s3, azureBlob, pgp, account = {} }: SourceLocation): Secret[] {
  const { auth = {}, headers = {}, query = {}, url = '' } = http ?? {};
  // A name with a colon cannot be sent; who reads the source says so.
  const { basic, ...others } = auth;
  const proofs = basic && !basic.username.includes(':') ? auth : others;
  return [
    ...secretsOf(proofs),
    ...(basic ? [basic.password] : []),
    ...[sftp?.password, sftp?.passphrase, sftp?.privateKey, ldap?.password, pgp?.passphrase, pgp?.privateKey].filter(
      (secret) => secret !== undefined,
    ),
    ...[s3?.secretAccessKey, s3?.sessionToken, azureBlob?.key, azureBlob?.sas].filter((secret) => secret !== undefined),
    ...Object.entries(headers).flatMap(([name, value]) => secretsOfHeader(name, value)),
    ...secretTexts([...Object.values(query), ...Object.values(account)].map((value) => value.reveal())),
    ...secretsOfUrl(url),
    ...(sql ? [sql.url, ...passwordsOf(sql.url.reveal())] : []),
  ];
}

/** The password in an address, as it is written there and as it is. */
function passwordsOf(url: string): Secret[] {
  const { password } = new URL(url);
  return secretTexts(password === '' ? [] : [password, decoded(password)]);
}

/** Takes the secrets of a source out of texts of others. What equals a name of ours (`own`) is that name. */
export function redactorOf(secrets: readonly Secret[], own: readonly string[]): Redact {
  return redactor(secrets.filter((secret) => !own.includes(secret.reveal())));
}
