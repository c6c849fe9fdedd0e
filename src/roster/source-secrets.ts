import { Secret } from '../core/secret.ts';
import type { SourceLocation } from '../core/source.ts';
import { secretsOf } from './fetch/http-auth.ts';

/**
 * A header, a parameter or an account's entry that is shorter is rather a word (`json`, `true`, the name of a company) than
 * a secret; hidden everywhere, it would spoil every line.
 */
const shortestKey = 8;

/** All that must not be shown of a source, in the forms in which it goes over the wire: for hiding it wherever it turns up. */
export function secretsOfSource({ http, sftp, account = {} }: SourceLocation): Secret[] {
  const { auth = {}, headers = {}, query = {}, url = '' } = http ?? {};
  // A name with a colon cannot be sent; who reads the source says so.
  const { basic, ...others } = auth;
  const proofs = basic && !basic.username.includes(':') ? auth : others;
  const inAddress = URL.canParse(url) ? [...new URL(url).searchParams.values()].map((value) => new Secret(value)) : [];
  // `Bearer abc`: what follows the scheme may turn up alone.
  const afterScheme = Object.values(headers).map((value) => new Secret(value.reveal().replace(/^\S+\s+/, '')));
  const keys = [
    ...Object.values(headers),
    ...afterScheme,
    ...Object.values(query),
    ...Object.values(account),
    ...inAddress,
  ];
  return [
    ...secretsOf(proofs),
    ...(basic ? [basic.password] : []),
    ...[sftp?.password, sftp?.passphrase, sftp?.privateKey].filter((secret) => secret !== undefined),
    ...keys.filter((key) => key.reveal().length >= shortestKey),
  ];
}
