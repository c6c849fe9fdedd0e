// Checks an SFTP server's key against the trusted fingerprints.
import { createHash } from 'node:crypto';
import { trimSign } from '../../core/text/trim-end.ts';

/** The fingerprint of a host's key, as `ssh-keygen -lf` shows it: `SHA256:` and Base64 without padding. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${trimSign(createHash('sha256').update(key).digest('base64'), '=')}`;
}

/** Whether a text is such a fingerprint. MD5 ones (`16:27:ac:…`) are not: they can be forged. */
export function isFingerprint(text: string): boolean {
  return /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(text);
}

export function isTrusted(key: Uint8Array, trusted: readonly string[]): boolean {
  const found = fingerprintOf(key);
  return trusted.some((one) => trimSign(one, '=') === found);
}
