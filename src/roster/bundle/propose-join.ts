// Proposes how the files of a folder are joined, by columns whose values match.
import { columnsMeaning, groupRank, listColumns } from '../../core/columns/columns.ts';
import { columnKey } from '../../core/columns/columns.ts';
import { plainName } from './folder.ts';
import type { JoinColumn, JoinSpec, JoinStep } from './join-spec.ts';
import type { ColumnSample, FileSample } from './sample-folder.ts';

/** A join that somebody has to look at, and what it was judged by. */
export interface ProposedJoin {
  spec: JoinSpec;
  /** A sentence for each pair of columns that were taken to hold the same. */
  evidence: string[];
}

/** A column whose values are nearly all in the key of another file. */
interface Link {
  from: FileSample;
  column: ColumnSample;
  to: FileSample;
  key: ColumnSample;
  /** The part of the column's values that the key has. */
  share: number;
  score: number;
}

/** The share of a column's values that must be in a key; less if not all of the key was read. */
const leastShare = 0.8;
const leastShareOfCut = 0.3;
const percent = 100;

/**
 * Proposes how files of a folder belong together, by columns whose values match: one file has the people; others refer to
 * them, or are referred to. Undefined where no file has people or nothing belongs to them.
 */
export function proposeJoin(files: readonly FileSample[]): ProposedJoin | undefined {
  const people = peopleOf(files);
  if (!people) return undefined;
  const others = files.filter((file) => file !== people);
  const columns: Record<string, JoinColumn[]> = {};
  const evidence: string[] = [];
  const add = (name: string, way: JoinColumn, links: readonly Link[]): void => {
    (columns[freeName(name, columns)] ??= []).push(way);
    for (const link of links) evidence.push(say(link));
  };
  const members = others.flatMap((file) => best(linksFrom(file, [people])));
  for (const link of members) {
    const begin = { from: link.key.name };
    const rest = link.from.columns.filter((column) => column !== link.column);
    const groups = others.filter((file) => file !== link.from);
    const further = bestOfEach(linksFrom({ ...link.from, columns: rest }, groups));
    const where = { file: link.from.file, where: link.column.name };
    for (const next of further) {
      const step = { ...where, take: next.column.name };
      add(stemOf(next.to.file), { ...begin, steps: [step, nameStep(next)] }, [link, next]);
    }
    if (further.length > 0) continue;
    for (const column of rest) {
      if (isGroup(column)) add(column.name, { ...begin, steps: [{ ...where, take: column.name }] }, [link]);
    }
  }
  const joined = new Set(members.map(({ from }) => from));
  const referred = bestOfEach(linksFrom(people, others)).filter(({ to }) => !joined.has(to));
  for (const link of referred) add(stemOf(link.to.file), { from: link.column.name, steps: [nameStep(link)] }, [link]);
  if (Object.keys(columns).length === 0) return undefined;
  return { spec: { people: [{ file: people.file, columns }] }, evidence: [...new Set(evidence)] };
}

/** The file whose header has the most fields of a person. */
function peopleOf(files: readonly FileSample[]): FileSample | undefined {
  const weight = ({ columns }: FileSample): number => {
    const listed = listColumns(columns.map(({ name }) => name));
    const has = (meaning: 'email' | 'firstname' | 'lastname' | 'fullname'): number =>
      columnsMeaning(listed, meaning).length > 0 ? 1 : 0;
    const named = Math.max(has('firstname') + has('lastname'), has('fullname') * 2);
    return named === 2 ? named + has('email') : 0;
  };
  const [first] = files.toSorted((a, b) => weight(b) - weight(a) || b.rows - a.rows);
  return first && weight(first) > 0 ? first : undefined;
}

/** Every column of a file whose values are in a key of one of the others. */
function linksFrom(from: FileSample, others: readonly FileSample[]): Link[] {
  return others.flatMap((to) =>
    to.columns
      .filter((key) => isKey(key, to))
      .flatMap((key) => from.columns.flatMap((column) => linkOf({ from, column, to, key }))),
  );
}

function linkOf({ from, column, to, key }: Omit<Link, 'share' | 'score'>): Link[] {
  if (column.values.size === 0) return [];
  let found = 0;
  for (const value of column.values) if (key.values.has(value)) found++;
  const share = found / column.values.size;
  if (share < (to.isCut ? leastShareOfCut : leastShare)) return [];
  // Numbers from 1 match every numeric key, so names decide, and the share of the key that is used.
  return [{ from, column, to, key, share, score: share + found / key.values.size + likeness(column, key, to) }];
}

/** How much the names say that a column refers to a key: `TeamId` to `id` of `teams.csv`, or both called alike. */
function likeness(column: ColumnSample, key: ColumnSample, to: FileSample): number {
  const own = columnKey(column.name);
  const stem = columnKey(stemOf(to.file)).replace(/s$/, '');
  const isCalledAlike = own === columnKey(key.name) && own !== 'id';
  return (isCalledAlike ? 1 : 0) + (stem !== '' && own.includes(stem) ? 1 : 0);
}

function isKey({ values, filled }: ColumnSample, { rows }: FileSample): boolean {
  return filled > 1 && filled === rows && values.size === filled;
}

function best(links: readonly Link[]): Link[] {
  return links.toSorted((a, b) => b.score - a.score).slice(0, 1);
}

/** The best link to each file, from each column no more than one. */
function bestOfEach(links: readonly Link[]): Link[] {
  const taken: Link[] = [];
  for (const link of links.toSorted((a, b) => b.score - a.score)) {
    if (!taken.some(({ to, column }) => to === link.to || column === link.column)) taken.push(link);
  }
  return taken;
}

/** The step to the name that a thing has. */
function nameStep({ to, key }: Link): JoinStep {
  const others = to.columns.filter((column) => column !== key && column.filled > 0);
  const called = others.find(({ name }) => /(?:name|title|label|bezeichnung)$/i.test(name));
  const text = others.find(({ values }) => [...values].every((value) => /\p{L}/u.test(value)));
  return { file: to.file, where: key.name, take: (called ?? text ?? key).name };
}

function isGroup({ name, filled }: ColumnSample): boolean {
  return filled > 0 && groupRank({ index: 0, name })?.isOffered === false;
}

function stemOf(file: string): string {
  return plainName(file).replace(/\.[^.]*$/, '');
}

/** A name under which no other column stands. */
function freeName(name: string, columns: Readonly<Record<string, unknown>>): string {
  let free = name;
  for (let number = 2; Object.hasOwn(columns, free); number++) free = `${name} ${number}`;
  return free;
}

function say({ from, column, to, key, share }: Link): string {
  const values = `${Math.floor(share * percent)}% of ${column.values.size.toLocaleString('en')} values`;
  const looked = from.isCut || to.isCut ? ', as far as the first rows show' : '';
  return `${values} of ${column.name} in ${from.file} are in ${key.name} of ${to.file}${looked}`;
}
