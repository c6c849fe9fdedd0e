// Opens a folder or archive as a bundle.
import { InputError } from '../../core/errors.ts';
import { dayOf } from '../../core/cells/days.ts';
import type { Opening } from '../opening.ts';
import type { RosterFile } from '../roster-file.ts';
import type { BundlePlan } from './bundle.ts';
import { BundleReader } from './bundle-reader.ts';
import { bundles } from './bundles.ts';
import { findFile, someOf, type Folder } from './folder.ts';
import { viewOf } from './folder-view.ts';
import { Joiner, type PeopleFile } from './joined-people.ts';

/**
 * Opens a folder or archive of files that belong together, as the people of one roster with what is joined to them.
 * Throws an `InputError` if it is no bundle that is known and nothing says how its files belong together.
 */
export async function openBundle(folder: Folder, { options, limits }: Opening): Promise<RosterFile> {
  const plan = options.join ? { name: 'joined files', spec: options.join, notes: [] } : await recognise(folder);
  if (!plan) throw unknown(folder);
  const joiner = new Joiner(folder, {
    isStrict: options.join !== undefined,
    limits,
    notes: plan.notes,
    today: options.today ?? dayOf(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone),
  });
  const people: PeopleFile[] = [];
  try {
    for (const part of plan.spec.people) people.push(await joiner.open(part));
  } catch (error) {
    for (const { roster } of people) await roster.close();
    throw error;
  }
  return new BundleReader(folder, plan, people, joiner);
}

/** What the kind of bundle that recognises a folder makes of it; undefined if none does. */
async function recognise(folder: Folder): Promise<BundlePlan | undefined> {
  const view = viewOf(folder);
  for (const bundle of bundles) {
    const plan = findFile(folder, bundle.people) === undefined ? undefined : await bundle.plan(view);
    if (plan) return plan;
  }
  return undefined;
}

function unknown({ file, names }: Folder): InputError {
  if (names.length === 0) return new InputError(`${file}: it holds no file that can be read.`);
  const kinds = bundles.map(({ name }) => name).join(', ');
  return new InputError(
    `${file}: these files are no bundle that is known (${kinds}). It holds ${someOf(names)}. Name one file, ` +
      'or say how they belong together in the config, with read.join of a source (docs/sources.md, Bundles).',
  );
}
