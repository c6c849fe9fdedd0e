// Explains why a server cannot listen at a host and port.
import { InputError, StorageError } from '../errors.ts';

/** What the system says about a place where nobody can listen, by Node's code for it: why, and what to do. */
const reasons = new Map([
  ['EADDRINUSE', 'somebody listens there already. Choose another with --port (0 is any free one), or end that process'],
  ['EADDRNOTAVAIL', 'this machine does not have that address. Choose one of its own as host; 0.0.0.0 is all of them'],
  ['ENOTFOUND', 'there is no host of that name. Choose an address of this machine; 0.0.0.0 is all of them'],
  ['EACCES', 'this user may not. Ports below 1024 often need root: choose a higher one with --port'],
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
    : new InputError(`${where}: ${reason}.`, { cause });
}
