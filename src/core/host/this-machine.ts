// This machine: whether a host is it, and why it cannot listen somewhere or keep a temporary file.
import { InputError, StorageError } from '../errors.ts';

/** What the system says about a place where nobody can listen, by Node's code for it: why, and what to do. */
const reasons = new Map([
  ['EADDRINUSE', 'somebody listens there already. Choose another port (0 is any free one), or end that process'],
  ['EADDRNOTAVAIL', 'this machine does not have that address. Choose one of its own as host; 0.0.0.0 is all of them'],
  ['ENOTFOUND', 'there is no host of that name. Choose an address of this machine; 0.0.0.0 is all of them'],
  ['EACCES', 'this user may not. Ports below 1024 often need root: choose a higher port'],
]);

/**
 * Why nobody could listen at a host and port, with the next step: an `InputError` if another place would do, a
 * `StorageError` for whatever else the system said.
 * @param who the subject of the sentence: `the sandbox`
 */
export function cannotListen(
  who: string,
  { host, port }: { host: string; port: number },
  cause: unknown,
): InputError | StorageError {
  const { code = '', message = String(cause) } = cause as Partial<NodeJS.ErrnoException>;
  const reason = reasons.get(code);
  const where = `${who} cannot listen on ${host}, port ${port}`;
  return reason === undefined
    ? new StorageError(`${where}: ${message}.`, { cause })
    : new InputError(`${where}: ${reason}.`, {
        cause,
        next: reason.includes(' port') ? [{ setting: 'server.port' }] : [],
      });
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

const folderReasons: Record<string, string> = {
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
  const reason = folderReasons[code] === undefined ? code : `${folderReasons[code]} (${code})`;
  return new StorageError(
    `${what} cannot be kept in the folder for temporary files, ${folder}: ${reason}. ` +
      'Make room there, or name another folder with TMPDIR.',
    { cause },
  );
}
