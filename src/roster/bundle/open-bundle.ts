// Opens a folder or archive as a bundle, and reads its people as rows.
import { refusal, InputError } from '../../core/errors.ts';
import { dayOf } from '../../core/cells/days.ts';
import { defined } from '../../core/defined.ts';
import { bundleOf } from '../../core/rows/row.ts';
import { checksumOf, underOneHeader } from '../join-rosters.ts';
import { type Opening, openingInside, known, type RosterFile, withoutText } from '../roster-file.ts';
import { type Folder, bundles, recognise, type BundlePlan } from './recognise.ts';
import { listed } from '../../core/text/format.ts';
import { Joiner } from './joined-people.ts';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatByName } from '../files/magic.ts';
import { isPassing } from '../files/passing-files.ts';
import { statFailure, readFailure } from '../files/read-failure.ts';

/** Throws an `InputError` if it is no bundle that is known and nothing says how its files belong together. */
export async function openBundle(folder: Folder, { options, limits }: Opening): Promise<RosterFile> {
  const plan = options.join ? { name: 'joined files', spec: options.join, notes: [] } : await recognise(folder);
  if (!plan) throw unknown(folder);
  const { timezone = Intl.DateTimeFormat().resolvedOptions().timeZone, today = dayOf(new Date(), timezone) } = options;
  const joiner = new Joiner(folder, {
    isStrict: options.join !== undefined,
    most: limits.joined,
    notes: plan.notes,
    timezone,
    today,
  });
  const people: RosterFile[] = [];
  try {
    for (const part of plan.spec.people) {
      const roster = await joiner.open(part);
      if (roster) people.push(roster);
    }
  } catch (error) {
    for (const roster of people) await roster.close();
    throw error;
  }
  const { form, ...joined } = underOneHeader(people);
  const { name: part, notes, isPartial }: BundlePlan = plan;
  const isUnended = joiner.isUnended || form.isUnended;
  let checksum: string | undefined;
  return {
    ...joined,
    form: {
      file: folder.file,
      format: 'bundle',
      ...withoutText,
      headerLine: 0,
      part,
      notes,
      ...defined({ ...form, isPartial: isPartial || undefined, isUnended: isUnended || undefined }),
      header: form.header,
      // What a file of it lacks may decide who is sent: which files a join of one's own needs is known.
      ...(!isPartial && !options.join && { joined: { of: bundleOf, files: [...joiner.files].toSorted() } }),
    },
    modifiedAt: folder.modifiedAt,
    async *batches() {
      yield* joined.batches();
      joiner.finish();
      checksum ??= checksumOf([...people.map((roster) => roster.checksum()), ...joiner.checksums]);
    },
    checksum: () => known(checksum),
  };
}

const mostListed = 20;

function unknown({ file, names }: Folder): InputError {
  if (names.length === 0) return new InputError(`${file}: it holds no file that can be read.`);
  const kinds = [...new Set(Object.values(bundles()).map(({ name }) => name))].join(', ');
  return refusal('unknownBundle', { file, kinds, names: listed(names, mostListed) });
}

/** What is in folders inside it is not looked at; its time is that of its newest file. Throws an `InputError`. */
export async function openFolder(
  path: string,
  opening: Opening,
  open: (path: string, opening: Opening) => Promise<RosterFile>,
): Promise<RosterFile> {
  try {
    const names = await namesIn(path);
    const most = opening.limits.files;
    if (names.length > most) throw refusal('manyFiles', { file: path, count: names.length, most });
    const times: number[] = [];
    for (const name of names) times.push(await timeOf(join(path, name)));
    const modifiedAt = times.length === 0 ? opening.now() : new Date(Math.max(...times));
    const inside = openingInside(opening);
    const folder: Folder = { file: path, names, modifiedAt, open: (name) => open(join(path, name), inside) };
    return await openBundle(folder, opening);
  } catch (error) {
    throw readFailure(path, error);
  }
}

/** The names of the files in a folder that can be read, sorted. Throws what the system throws. */
async function namesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && !isPassing(entry.name) && formatByName(entry.name) !== undefined)
    .map(({ name }) => name)
    .toSorted();
}

async function timeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    throw await statFailure(path, error);
  }
}
