// Explains why something cannot be kept in the folder for temporary files.
import { StorageError } from '../errors.ts';

const reasons: Record<string, string> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of this user is used up there',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is not a folder',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its disk is read-only',
};

/**
 * The error of something that could not be kept in the folder for temporary files.
 * @param what begins a sentence: `What comes from standard input`
 * @param cause what the system said
 */
export function temporaryFailure(what: string, folder: string, cause: unknown): StorageError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
  const reason = reasons[code] === undefined ? code : `${reasons[code]} (${code})`;
  return new StorageError(
    `${what} cannot be kept in the folder for temporary files, ${folder}: ${reason}. ` +
      'Make room there, or name another folder with TMPDIR.',
    { cause },
  );
}
