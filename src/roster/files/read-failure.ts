// Explains why the system cannot read a file, or which package has to be installed.
import { lstat, readFile } from 'node:fs/promises';
import { codeOf, InputError, RosterSyncError, refusal } from '../../core/errors.ts';
import { sentences } from '../../core/words/say.ts';

export function readFailure(file: string, error: unknown): Error {
  if (error instanceof RosterSyncError) return error;
  const code = codeOf(error);
  if (code === '') return error instanceof Error ? error : new Error(String(error));
  const reason = sentences()[`unreadable-${code}`] ?? `it cannot be read (${code}).`;
  return new InputError(`${file}: ${reason}`, { cause: error });
}

/** For `catch`: throws why a file cannot be read. */
export const cannotRead =
  (file: string) =>
  (error: unknown): never => {
    throw readFailure(file, error);
  };

/** The text of a file that settings name. Throws an `InputError` where it cannot be read. */
export const readText = (file: string, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<string> =>
  readFile(file, encoding).catch(cannotRead(file));

/** The authorities that a file holds, which certificates of servers are checked by; without one, those of the system. */
export async function authorityOf(caFile: string | undefined): Promise<{ ca?: string }> {
  return caFile === undefined ? {} : { ca: await readText(caFile) };
}

/** Like `readFailure`, after a look at the file: a link that leads to nothing is there, and what it should lead to is not. */
export async function statFailure(path: string, error: unknown, name: string = path): Promise<Error> {
  if (!isMissing(error) || !(await isLink(path))) return readFailure(name, error);
  return refusal('brokenLink', { name }, { cause: error });
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

export async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
}

/** Another error is given back as it is. `wanted`: the package and its version, as npm takes them. */
export function missingPackage(error: unknown, wanted: string, what: string): unknown {
  const name = wanted.slice(0, wanted.lastIndexOf('@'));
  if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND' || !String(error).includes(`'${name}'`)) return error;
  return refusal('missingPackage', { what, name, wanted }, { cause: error });
}
