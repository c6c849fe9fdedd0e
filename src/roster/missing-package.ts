// Names the package to install where a source needs one that does not come with roster-sync.
import { refusal } from '../core/words/say.ts';

/** Another error is given back as it is. `wanted`: the package and its version, as npm takes them. */
export function missingPackage(error: unknown, wanted: string, what: string): unknown {
  const name = wanted.slice(0, wanted.lastIndexOf('@'));
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return error;
  if (!error.message.includes(`'${name}'`)) return error;
  return refusal('missingPackage', { what, name, wanted }, { cause: error });
}
