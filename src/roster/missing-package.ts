// Names the package to install where a source needs one that does not come with roster-sync.
import { InputError } from '../core/errors.ts';

/** Another error is given back as it is. `wanted`: the package and its version, as npm takes them. */
export function missingPackage(error: unknown, wanted: string, what: string): unknown {
  const name = wanted.slice(0, wanted.lastIndexOf('@'));
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return error;
  if (!error.message.includes(`'${name}'`)) return error;
  return new InputError(
    `${what} needs the package ${name}, which is not installed. Install it where roster-sync is installed: npm install ${wanted}`,
    { cause: error },
  );
}
