// The keys of the files of a source, PGP and passwords: their settings, and how they are loaded.
import { z } from 'zod';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { Secret } from '../core/secrets/secret.ts';
import { filePath, text } from '../core/settings/values.ts';
import { privateKeyFields } from './shared-settings.ts';
import { readText } from './files/read-failure.ts';
import type { OpenOptions } from './roster-file.ts';
import type { PgpKeys } from './pgp/decrypt.ts';

export const Pgp = z
  .strictObject(
    {
      ...privateKeyFields(),
      signedBy: text().exactOptional(),
      signedByFile: filePath().exactOptional(),
    },
    { error: 'must be keys like { privateKeyFile: ./payroll.asc }' },
  )
  .refine(({ privateKey, privateKeyFile }) => (privateKey === undefined) !== (privateKeyFile === undefined), {
    error: 'must have exactly one of privateKey and privateKeyFile',
  })
  .refine(({ signedBy, signedByFile }) => signedBy === undefined || signedByFile === undefined, {
    error: 'must have only one of signedBy and signedByFile',
  });
type PgpSource = z.output<typeof Pgp>;

/** Throws an `InputError` for a file that cannot be read, or that holds no password. */
export async function loadKeys({
  pgp,
  passwordFile,
}: {
  pgp?: PgpSource;
  passwordFile?: string;
}): Promise<Pick<OpenOptions, 'pgp' | 'password'>> {
  return {
    ...(pgp && { pgp: await loadPgpKeys(pgp) }),
    ...(passwordFile !== undefined && { password: await loadPassword(passwordFile) }),
  };
}

export async function loadPgpKeys({ privateKey, privateKeyFile, ...more }: PgpSource): Promise<PgpKeys> {
  const { passphrase, signedBy, signedByFile } = more;
  const signers = signedByFile === undefined ? signedBy : await readText(signedByFile, 'latin1');
  return {
    privateKey: privateKey ?? new Secret(await readText(privateKeyFile ?? '', 'latin1')),
    ...defined({ passphrase, signedBy: signers }),
  };
}

/** A password of Office has no more characters. */
const mostOfPassword = 255;

/** The file holds nothing else; the end of its line is not part of it. */
async function loadPassword(file: string): Promise<Secret> {
  const password = (await readText(file)).replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
  if (password === '') throw new InputError(`${file}: it is empty. Write the password of the workbook into it.`);
  if (password.length <= mostOfPassword && !/[\r\n]/.test(password)) return new Secret(password);
  throw new InputError(`${file}: this is not a password. Write one line of at most ${mostOfPassword} characters.`);
}
