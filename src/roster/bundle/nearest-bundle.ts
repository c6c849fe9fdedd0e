// Names the bundle a folder resembles most, and what is missing from it.
import { InputError } from '../../core/errors.ts';
import type { Bundle, FolderView } from './bundle.ts';
import { bundles } from './bundles.ts';
import { plainName, type Folder } from './folder.ts';
import { viewOf } from './folder-view.ts';
import { columnOf } from './column-of.ts';
import { versionOf } from './one-roster.ts';

/** This many files that match only by name do not suggest a kind of bundle. */
const fewFiles = 1;

/**
 * A sentence that says which kind of bundle a folder is most like, and what is missing from it; undefined if it is like
 * none. Looks at names, and at the header of the file with the people.
 */
export async function nearestBundle(folder: Folder): Promise<string | undefined> {
  const view = viewOf(folder);
  const plain = new Set(folder.names.map(plainName));
  const likes: { name: string; likeness: number; lacks: string }[] = [];
  for (const bundle of bundles) {
    const files = bundle.files.filter((file) => plain.has(file.toLowerCase()));
    if (files.length <= fewFiles) continue;
    const header = await headerOf(view, bundle);
    const lacking = bundle.needs.filter((names) => names.every((name) => columnOf(header, name) === -1));
    const likeness = files.length + bundle.needs.length - lacking.length;
    const version = bundle.name === 'OneRoster' ? await versionOf(view).catch(() => '') : '';
    likes.push({ name: `${bundle.name}${version}`, likeness, lacks: whatLacks(bundle, plain, lacking) });
  }
  const most = Math.max(...likes.map(({ likeness }) => likeness));
  const nearest = likes.filter(({ likeness }) => likeness === most);
  const [first] = nearest;
  if (!first) return undefined;
  const names = nearest.filter(({ lacks }) => lacks === first.lacks).map(({ name }) => name);
  return `It looks like ${names.join(' or ')}, but ${first.lacks}.`;
}

async function headerOf(view: FolderView, { files: [people] }: Bundle): Promise<readonly string[]> {
  return view.header(people).catch((error: unknown) => {
    if (error instanceof InputError) return [];
    throw error;
  });
}

function whatLacks({ files: [people] }: Bundle, plain: ReadonlySet<string>, columns: Bundle['needs']): string {
  if (!plain.has(people.toLowerCase())) return `${people}, which has the people, is missing`;
  const [first, ...others] = columns.map(([name]) => name);
  if (first === undefined) return `${people} is not as it should be`;
  return `${people} has no column ${[first, ...others].join(' and no column ')}`;
}
