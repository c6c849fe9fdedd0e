// Reads gpg's status lines and decides whether its output may be used.

/** A line of what gpg says to programs (GnuPG, doc/DETAILS). */
export interface StatusLine {
  word: string;
  values: readonly string[];
}

/** What says that a signature is none that counts. */
const spoilt = ['BADSIG', 'ERRSIG', 'EXPSIG', 'EXPKEYSIG', 'REVKEYSIG'];
const damaged = ['DECRYPTION_FAILED', 'BADMDC', 'NODATA', 'TRUNCATED', 'ERROR', 'FAILURE', 'UNEXPECTED'];

/**
 * Why nothing of a decrypted file may be used; undefined if all of it may. Its exit code alone does not tell: gpg ends
 * with 0 for a file that was cut off.
 * @param signers the fingerprints of those one of whom must have signed; undefined if nobody must
 */
export function faultOf(
  code: number | null,
  status: readonly StatusLine[],
  signers: readonly string[] | undefined,
): string | undefined {
  const has = (word: string): boolean => status.some((line) => line.word === word);
  const count = (word: string): number => status.filter((line) => line.word === word).length;
  const isSafe =
    has('GOODMDC') || status.some(({ word, values }) => word === 'DECRYPTION_INFO' && Number(values[2]) > 0);
  const isWhole =
    count('DECRYPTION_OKAY') === 1 && count('BEGIN_DECRYPTION') === 1 && count('PLAINTEXT') === 1 && isSafe;
  if (!isWhole || damaged.some(has)) return brokenBy(status, has);
  if (signers !== undefined) {
    const fault = signatureFault(status, signers);
    if (fault !== undefined) return fault;
  }
  // Without a key for it, a signature is not looked at, and gpg ends with 2 as it cannot.
  const isUnchecked = signers === undefined && has('ERRSIG') && !has('BADSIG');
  return code === 0 || (code === 2 && isUnchecked) ? undefined : brokenBy(status, has);
}

function brokenBy(status: readonly StatusLine[], has: (word: string) => boolean): string {
  const wrongPassphrase =
    'the private key does not open with this passphrase. Check pgp.passphrase; where it is right, the file was changed on its way.';
  if (has('BAD_PASSPHRASE') || has('MISSING_PASSPHRASE')) return wrongPassphrase;
  // No key gave what the file is locked with: gpg has one and cannot use it, or has none.
  if (has('BEGIN_DECRYPTION') && has('ENC_TO') && !has('DECRYPTION_KEY')) {
    return has('KEY_CONSIDERED') ? wrongPassphrase : otherKey(status);
  }
  return 'the PGP file is damaged, cut off, or was changed on its way. Nothing of it was read. Fetch it again.';
}

function otherKey(status: readonly StatusLine[]): string {
  const ids = status.filter(({ word }) => word === 'ENC_TO').map(({ values }) => values[0] ?? '');
  const which = ids.filter((id) => /^[0-9A-F]{16}$/.test(id) && !/^0+$/.test(id));
  return `the file is encrypted for another key${which.length > 0 ? ` (${which.join(', ')})` : ''}. Set pgp.privateKey to the key that it is for, or give its sender yours.`;
}

function signatureFault(status: readonly StatusLine[], signers: readonly string[]): string | undefined {
  const next = 'Nothing of it was read. Ask its sender, or check pgp.signedBy.';
  const begin = status.findIndex(({ word }) => word === 'BEGIN_DECRYPTION');
  const end = status.findIndex(({ word }) => word === 'END_DECRYPTION');
  // What is signed must be what was encrypted.
  const inside = status.slice(begin, end === -1 ? undefined : end);
  if (!status.some(({ word }) => word === 'NEWSIG' || word.endsWith('SIG'))) return `the file is not signed. ${next}`;
  const isGood = inside.some(({ word }) => word === 'GOODSIG') && !status.some(({ word }) => spoilt.includes(word));
  const isTheirs = inside.some(
    ({ word, values }) =>
      word === 'VALIDSIG' && [values[0], values[9]].some((key) => key !== undefined && signers.includes(key)),
  );
  return isGood && isTheirs
    ? undefined
    : `the file is not signed by a key in pgp.signedBy, or its signature is wrong. ${next}`;
}
