// Points out that a file belongs to a bundle whose whole folder can be read.
import { bundleBeside } from '../../roster/bundle-beside.ts';
import type { Output } from '../frame/output.ts';

/** Points out that a file belongs to a bundle whose folder can be read as a whole. Silent for any other file. */
export async function remarkOnBundle(file: string, { note, quiet }: Output): Promise<void> {
  if (file === '-' || quiet) return;
  const found = await bundleBeside(file);
  if (!found) return;
  const { folder, name, columns } = found;
  const more = columns.length === 0 ? '' : `, with ${list(columns)} from the files beside it`;
  note(`${file} is one file of a bundle (${name}). Name its folder, \`${folder}\`, to read it as one roster${more}.`);
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
