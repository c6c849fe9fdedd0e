// Opens a folder or archive as a bundle.
import { UnknownBundle } from '../../core/errors.ts';
import { dayOf } from '../../core/cells/days.ts';
import type { Opening } from '../opening.ts';
import type { RosterFile } from '../roster-file.ts';
import type { BundlePlan } from './bundle.ts';
import { BundleReader } from './bundle-reader.ts';
import { bundles } from './bundles.ts';
import { findFile, type Folder } from './folder.ts';
import { viewOf } from './folder-view.ts';
import { Joiner, type PeopleFile } from './joined-people.ts';
import { nearestBundle } from './nearest-bundle.ts';

/**
 * Opens a folder or archive of files that belong together, as the people of one roster with what is joined to them.
 * Throws an `UnknownBundle` if it is no bundle that is known and nothing says how its files belong together.
 */
export async function openBundle(folder: Folder, { options, limits }: Opening): Promise<RosterFile> {
  const plan = options.join ? { name: 'joined files', spec: options.join, notes: [] } : await recognise(folder);
  if (!plan) throw unknown(folder, await nearestBundle(folder));
  const joiner = new Joiner(folder, {
    ...{ isStrict: options.join !== undefined, limits, notes: plan.notes },
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
export async function recognise(folder: Folder): Promise<BundlePlan | undefined> {
  const view = viewOf(folder);
  for (const bundle of bundles) {
    const plan = findFile(folder, bundle.files[0]) === undefined ? undefined : await bundle.plan(view);
    if (plan) return plan;
  }
  return undefined;
}

const mostListed = 20;

function unknown({ file, names }: Folder, nearest: string | undefined): UnknownBundle {
  const kinds = bundles.map(({ name }) => name).join(', ');
  const left = names.length - mostListed;
  const found =
    names.length === 0
      ? 'It holds no file that can be read.'
      : `It holds ${names.slice(0, mostListed).join(', ')}${left > 0 ? ` and ${left} more` : ''}.`;
  const like = nearest ?? `It is like none of these: ${kinds}.`;
  return new UnknownBundle(
    `${file}: these files are no bundle that is known. ${like} ${found} ` +
      'Name one of them, or say with join: how they belong together, which `roster-sync inspect` of the folder proposes.',
  );
}
