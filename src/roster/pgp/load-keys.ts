// Loads the PGP keys that a source names.
import { readFile } from 'node:fs/promises';
import type { PgpSource } from '../../../config/fetch-schema.ts';
import { defined } from '../../core/defined.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { readFailure } from '../files/read-failure.ts';
import type { PgpKeys } from './decrypt.ts';

export async function loadPgpKeys({ privateKey, privateKeyFile, ...more }: PgpSource): Promise<PgpKeys> {
  const { passphrase, signedBy, signedByFile } = more;
  const signers = signedByFile === undefined ? signedBy : await readKey(signedByFile);
  return {
    privateKey: privateKey ?? new Secret(await readKey(privateKeyFile ?? '')),
    ...defined({ passphrase, signedBy: signers }),
  };
}

function readKey(file: string): Promise<string> {
  return readFile(file, 'latin1').catch((error: unknown) => {
    throw readFailure(file, error);
  });
}
