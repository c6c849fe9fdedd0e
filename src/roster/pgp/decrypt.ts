// Decrypts a PGP-encrypted roster, completely or not at all.
import { buffer } from 'node:stream/consumers';
import { InputError } from '../../core/errors.ts';
import type { Secret } from '../../core/secrets/secret.ts';
import { spool, type RosterBytes } from '../files/bytes.ts';
import type { ReadLimits } from '../files/limits.ts';
import { faultOf, type Gpg, withKeyring } from './gpg.ts';

/** The keys for encrypted rosters, as texts (`-----BEGIN PGP …`). */
export interface PgpKeys {
  privateKey: Secret;
  passphrase?: Secret;
  /** Public keys; one of them must have signed. */
  signedBy?: string;
  /** The folders in which gpg is looked for, with `:` between them, instead of the usual ones. */
  programs?: string;
}

interface Encrypted {
  file: string;
  chunks: AsyncIterable<Uint8Array>;
  modifiedAt: () => Date;
}

/** All of it, or nothing. Throws an `InputError` if gpg, key or signature fail, or it is damaged or too large. */
export async function decrypt(
  { file, chunks, modifiedAt }: Encrypted,
  keys: PgpKeys,
  limits: Pick<ReadLimits, 'unpacked'>,
): Promise<RosterBytes> {
  return withKeyring(
    file,
    async (gpg) => {
      await importKey(gpg, keys.privateKey.reveal(), file, 'pgp.privateKey');
      const { signedBy, passphrase } = keys;
      const signers = signedBy === undefined ? undefined : await importKey(gpg, signedBy, file, 'pgp.signedBy');
      const { code, status, output } = await gpg(['--decrypt'], {
        input: chunks,
        passphrase,
        take: (plain) => spool(plain, { file: `${file}, decrypted`, most: limits.unpacked, modifiedAt }),
      });
      const fault = faultOf(code, status, signers);
      if (fault === undefined) return { ...output, file };
      await output.close();
      throw new InputError(`${file}: ${fault}`);
    },
    keys.programs,
  );
}

/** What is wrong with keys, as a sentence; undefined if they open. Something of no meaning is encrypted and decrypted. */
export async function keyFault(keys: PgpKeys): Promise<string | undefined> {
  try {
    const { privateKey, passphrase, signedBy } = keys;
    await withKeyring('PGP', async (gpg) => {
      if (signedBy !== undefined) await importKey(gpg, signedBy, 'PGP', 'pgp.signedBy');
      const [key = ''] = await importKey(gpg, privateKey.reveal(), 'PGP', 'pgp.privateKey');
      const sealed = await gpg(['--recipient', key, '--encrypt'], { input: ['x'], take: buffer });
      if (sealed.code !== 0) throw new InputError('PGP: nothing can be encrypted for pgp.privateKey. Has it expired?');
      const opened = await gpg(['--decrypt'], { input: [sealed.output], passphrase, take: buffer });
      const fault = faultOf(opened.code, opened.status, undefined);
      if (fault !== undefined) throw new InputError(`PGP: ${fault}`);
    });
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

type KeySetting = 'pgp.privateKey' | 'pgp.signedBy';

/** Adds the keys of a setting, and gives their fingerprints. Throws an `InputError` where there are none. */
async function importKey(gpg: Gpg, text: string, file: string, setting: KeySetting): Promise<string[]> {
  const { status } = await gpg(['--import'], { input: [text], take: buffer });
  const isPrivate = setting === 'pgp.privateKey';
  const found = status.filter(({ word, values }) => word === 'IMPORT_OK' && (!isPrivate || Number(values[0]) & 16));
  if (found.length === 0) {
    const fault = `${setting} holds no ${isPrivate ? 'private ' : ''}key that gpg reads`;
    throw new InputError(`${file}: ${fault}. Export it as text (gpg --armor --export…).`);
  }
  return [...new Set(found.flatMap(({ values }) => values[1] ?? []))];
}
