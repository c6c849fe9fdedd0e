import { InputError } from '../../core/errors.ts';
import type { Opening } from '../opening.ts';
import type { RosterFile } from '../roster-file.ts';
import type { BundlePlan, FolderView } from './bundle.ts';
import { BundleReader } from './bundle-reader.ts';
import { bundles } from './bundles.ts';
import { findFile, type Folder } from './folder.ts';
import { Joiner, type PeopleFile } from './joined-people.ts';

/** Rows of a file that is looked at to tell what a bundle is. */
const mostRows = 1000;

/**
 * Opens a folder or archive of files that belong together, as the people of one roster with what is joined to them.
 * Throws an `InputError` where it is no bundle that is known and nothing says how its files belong together.
 */
export async function openBundle(folder: Folder, { options, limits }: Opening): Promise<RosterFile> {
  const plan = options.join ? { name: 'joined files', spec: options.join, notes: [] } : await recognise(folder);
  if (!plan) throw unknown(folder);
  const joiner = new Joiner(folder, options.join !== undefined, limits, plan.notes);
  const people: PeopleFile[] = [];
  try {
    for (const part of plan.spec.people) people.push(await joiner.open(part));
  } catch (error) {
    for (const { roster } of people) await roster.close();
    throw error;
  }
  return new BundleReader(folder, plan, people, joiner);
}

async function recognise(folder: Folder): Promise<BundlePlan | undefined> {
  const view = viewOf(folder);
  for (const bundle of bundles) {
    const plan = findFile(folder, bundle.files[0]) === undefined ? undefined : await bundle.plan(view);
    if (plan) return plan;
  }
  return undefined;
}

function viewOf(folder: Folder): FolderView {
  const seen = new Map<string, Promise<{ header: readonly string[]; rows: string[][] }>>();
  const look = (name: string) => {
    const known = seen.get(name);
    if (known) return known;
    const found = lookAt(folder, name);
    seen.set(name, found);
    return found;
  };
  return {
    folder,
    header: async (name) => (await look(name)).header,
    rows: async (name) => (await look(name)).rows,
  };
}

async function lookAt(folder: Folder, wanted: string): Promise<{ header: readonly string[]; rows: string[][] }> {
  const name = findFile(folder, wanted);
  if (name === undefined) return { header: [], rows: [] };
  const roster = await folder.open(name);
  try {
    const rows: string[][] = [];
    for await (const batch of roster.batches()) {
      rows.push(...batch.map(({ cells }) => cells));
      if (rows.length >= mostRows) break;
    }
    return { header: roster.form.header, rows };
  } finally {
    await roster.close();
  }
}

const mostListed = 20;

function unknown({ file, names }: Folder): InputError {
  const kinds = bundles.map(({ name, files }) => `${name}: ${files.join(', ')}`).join('; ');
  const left = names.length - mostListed;
  const found =
    names.length === 0
      ? 'It holds no file that can be read.'
      : `It holds ${names.slice(0, mostListed).join(', ')}${left > 0 ? ` and ${left} more` : ''}.`;
  return new InputError(
    `${file}: these files are no bundle that is known. Looked for (${kinds}). ${found} Name one of them, or say with join: how they belong together.`,
  );
}
