// Recognises the kind of bundle that a folder or archive is, by what `src/data/bundles` says.
import type { Bundle } from '../read-schema.ts';
import { InputError } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { dataOf } from '../../data/data.ts';
import { columnOf, type JoinColumn } from './join-index.ts';
import type { RosterFile } from '../roster-file.ts';

export interface BundlePlan {
  /** Such as `OneRoster 1.2`. */
  name: string;
  /** Column names as the headers write them, in any case. */
  spec: Pick<Bundle, 'people'>;
  notes: string[];
  /** It holds only what has changed. */
  isPartial?: boolean;
}

/** By the name of its file; the first one that recognises a folder has it. */
export const bundles = dataOf<Bundle>('bundles');

/** What the kind of bundle that recognises a folder makes of it; undefined if none does. */
export async function recognise(folder: Folder): Promise<BundlePlan | undefined> {
  const has = (name: string): boolean => findFile(folder, name) !== undefined;
  const headers = new Map<string, Promise<readonly string[]>>();
  const headerOf = (name: string): Promise<readonly string[]> => {
    const header = headers.get(name) ?? firstRows(folder, name).then((seen) => seen.header);
    headers.set(name, header);
    return header;
  };
  for (const { name, known, manifest, people } of Object.values(bundles())) {
    const [first] = people;
    if (!first || !has(first.file)) continue;
    const header = await headerOf(first.file);
    const isKnown = known.some(
      ({ columns, files, without = [] }) =>
        columns.every((column) => columnOf(header, column) !== -1) && (files?.some(has) ?? true) && !without.some(has),
    );
    if (!isKnown) continue;
    const plan = { name, spec: { people }, notes: [] };
    return manifest === undefined ? plan : followManifest(folder, plan, manifest);
  }
  return undefined;
}

/** The manifest of OneRoster says about each file whether it is all (`bulk`), what has changed (`delta`), or not there (`absent`). */
async function followManifest(folder: Folder, { name, spec }: BundlePlan, manifest: string): Promise<BundlePlan> {
  const { rows } = await firstRows(folder, manifest);
  const said = new Map(rows.map(([of = '', value = '']) => [of.trim().toLowerCase(), value.trim().toLowerCase()]));
  const keyOf = (file: string): string => `file.${file.replace(/\.csv$/, '')}`.toLowerCase();
  const stateOf = (file: string): string => said.get(keyOf(file)) ?? 'bulk';
  const needed = spec.people.flatMap(({ file, columns }) => [
    file,
    ...Object.values(columns).flatMap((ways) => ways.flatMap(({ steps }) => steps.map((step) => step.file))),
  ]);
  const gone = needed.find((file) => said.get(keyOf(file)) === 'bulk' && findFile(folder, file) === undefined);
  if (gone !== undefined) throw new InputError(say('goneOfManifest', 1, { file: folder.file, gone }));
  const version = said.get('oneroster.version');
  const notes: string[] = [];
  let isPartial = false;
  for (const { file } of spec.people) {
    if (stateOf(file) === 'absent')
      throw new InputError(`${folder.file}: its manifest says that ${file} is absent, so there is nobody in it.`);
    if (stateOf(file) !== 'delta') continue;
    isPartial = true;
    notes.push(`${file} holds only changes (delta): nobody counts as departed by being absent from it.`);
  }
  const isWhole = ({ steps }: JoinColumn): boolean => {
    const deltas = steps.map(({ file }) => file).filter((file) => stateOf(file) === 'delta');
    for (const file of deltas) {
      const note = `${file} holds only changes (delta), from which nobody's groups can be known: it is not joined.`;
      if (!notes.includes(note)) notes.push(note);
    }
    return deltas.length === 0;
  };
  const people = spec.people.map((part) => {
    const columns = Object.entries(part.columns).map(([column, ways]) => [column, ways.filter(isWhole)] as const);
    return { ...part, columns: Object.fromEntries(columns.filter(([, ways]) => ways.length > 0)) };
  });
  return { name: version === undefined ? name : `${name} ${version}`, spec: { people }, notes, isPartial };
}

/** The most rows that are read of a file to tell what a bundle is. */
const mostRows = 1000;

/** The header of a file as it is written, and its first rows; none if there is no such file. */
async function firstRows(folder: Folder, wanted: string): Promise<{ header: readonly string[]; rows: string[][] }> {
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
