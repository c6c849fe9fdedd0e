import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFiles } from '../support/after-file.ts';
import { without } from '../support/server-process.ts';

/** Why tests with gpg are skipped; false if they run. */
export const withoutGpg = without('gpg');

const home = mkdtempSync(join(tmpdir(), 'roster-pgp-test-'));
afterFiles(() => {
  spawnSync('gpgconf', ['--homedir', home, '--kill', 'all']);
  rmSync(home, { recursive: true, force: true });
});

/** Runs gpg with the keys of the test, and gives what it writes. */
export function gpg(words: readonly string[], input: string | Uint8Array = ''): Buffer {
  const args = [
    '--homedir',
    home,
    '--batch',
    '--quiet',
    '--pinentry-mode',
    'loopback',
    '--trust-model',
    'always',
    ...words,
  ];
  return execFileSync('gpg', args, {
    input,
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 2 ** 30,
  });
}

/** A key pair as texts. */
export interface TestKey {
  privateKey: string;
  publicKey: string;
}

/** Makes a key that signs and encrypts. */
export function makeKey(name: string, passphrase = ''): TestKey {
  const address = `${name}@example.com`;
  gpg(['--passphrase', passphrase, '--quick-generate-key', address, 'rsa2048', 'sign,encrypt', 'never']);
  return {
    privateKey: gpg(['--passphrase', passphrase, '--armor', '--export-secret-keys', address]).toString(),
    publicKey: gpg(['--armor', '--export', address]).toString(),
  };
}
