// This machine: whether a host is it, and why it cannot listen somewhere or keep a temporary file.
import { InputError, StorageError } from '../errors.ts';
import { sentences } from '../words/say.ts';

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
  const reason = sentences()[`listen-${code}`];
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

/**
 * The error of something that could not be kept in the folder for temporary files.
 * @param what begins a sentence: `What comes from standard input`
 * @param cause what the system said
 */
export function temporaryFailure(what: string, folder: string, cause: unknown): StorageError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
  const said = sentences()[`temporary-${code}`];
  const reason = said === undefined ? code : `${said} (${code})`;
  return new StorageError(
    `${what} cannot be kept in the folder for temporary files, ${folder}: ${reason}. ` +
      'Make room there, or name another folder with TMPDIR.',
    { cause },
  );
}
