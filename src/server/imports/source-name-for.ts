// The name of the source that a new kind of file belongs to.
import { sourceNameProblem } from '../../core/rows/source.ts';

/** Without what no source may be called, and never one that another source has already. */
export function sourceNameFor(file: string, taken: readonly string[]): string {
  const stem = file.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '');
  const plain = stem
    .split(/[^\p{L}\p{M}\p{N}._]+/u)
    .filter((part) => part !== '')
    .join('-')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, 90);
  const name = plain !== '' && sourceNameProblem(plain) === undefined ? plain : 'upload';
  const names = [name, ...Array.from({ length: taken.length + 1 }, (_, at) => `${name}-${at + 2}`)];
  return names.find((each) => !taken.includes(each)) ?? name;
}
