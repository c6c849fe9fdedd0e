// The files of a folder or archive, by name.
import { InputError } from '../../core/errors.ts';
import type { RosterFile } from '../roster-file.ts';

export interface Folder {
  /** As the person named it. */
  file: string;
  /** The files that can be read, in an archive with their folders. */
  names: readonly string[];
  modifiedAt: Date;
  open(name: string): Promise<RosterFile>;
}

/** The name of a file without its folders, in lower case: systems differ in how they write it. */
export function plainName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}

/** The file of a folder that has a name, wherever it stands and however it is written. Throws an `InputError` for two. */
export function findFile({ names, file }: Pick<Folder, 'names' | 'file'>, wanted: string): string | undefined {
  const exact = names.filter((name) => name === wanted);
  const found = exact.length > 0 ? exact : names.filter((name) => plainName(name) === plainName(wanted));
  if (found.length > 1) throw new InputError(`${file}: it has ${wanted} more than once: ${found.join(', ')}.`);
  return found[0];
}
