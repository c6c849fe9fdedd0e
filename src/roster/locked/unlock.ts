// Opens a workbook that is locked with a password, completely or not at all.
import { Readable } from 'node:stream';
import { InputError } from '../../core/errors.ts';
import { spool, type RosterBytes } from '../files/bytes.ts';
import type { Opening } from '../opening.ts';
import { inMemory } from '../workbook/open-workbook.ts';
import { CompoundFile } from '../xls/compound-file.ts';
import { openerOf } from './office-encryption.ts';

/** The workbook inside; undefined for a file that is not encrypted. Throws an `InputError` for all that is wrong. */
export async function unlock(bytes: RosterBytes, opening: Opening): Promise<RosterBytes | undefined> {
  try {
    const plain = await open(bytes, opening);
    if (plain) await bytes.close();
    return plain;
  } catch (error) {
    await bytes.close();
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(`${bytes.file}: the workbook is damaged or was changed. Fetch it again.`, { cause: error });
  }
}

async function open(bytes: RosterBytes, { options, limits }: Opening): Promise<RosterBytes | undefined> {
  const { file, modifiedAt } = bytes;
  const whole = await inMemory(bytes, limits);
  // Records alone, as some systems write an old workbook.
  if (whole.readUInt16LE(0) !== 0xcfd0) return undefined;
  const compound = new CompoundFile(whole, file);
  if (!compound.has('EncryptedPackage')) return undefined;
  const [info, sealed] = [compound.read('EncryptionInfo'), compound.read('EncryptedPackage')];
  if (!info || !sealed) {
    throw new InputError(`${file}: rights management (IRM) protects this workbook. Ask for it without, or as CSV.`);
  }
  if (!options.password) {
    throw new InputError(
      `${file}: this workbook is locked with a password. Name a file that holds it: --password-file FILE, or passwordFile of its source. Or open it, save it without the password, and import that.`,
    );
  }
  const decrypt = await openerOf(info, options.password, file);
  if (decrypt)
    return spool(Readable.from(decrypt(sealed)), { file, most: limits.unpacked, modifiedAt: () => modifiedAt });
  throw new InputError(
    `${file}: the password is wrong. Correct it in the file that --password-file or passwordFile names.`,
  );
}
