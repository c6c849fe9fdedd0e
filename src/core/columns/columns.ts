// Lists the columns of a header and which field each gives, by name.
import type { Meaning } from '../../data/schemas.ts';
import { headingKey, listOf, type Sense, wordSet } from '../words/words.ts';
import {
  dayKindOf,
  longestName,
  partKeys,
  readHeading,
  readPresence,
  speaksOfEmail,
} from '../headings/read-heading.ts';

/** What of a person a column can give. */
export type Field = 'firstname' | 'lastname' | 'email' | 'telephone';

export interface Column {
  /** 0-based place in the header. */
  index: number;
  name: string;
}

/** A name without case, spaces, and signs: what two spellings of one column have in common. */
export function columnKey(name: string): string {
  return name
    .slice(0, longestName)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

export function listColumns(header: readonly string[]): Column[] {
  return header.map((name, index) => ({ index, name: name.trim() }));
}

/** The columns that a person means by a name: those that equal it, else those whose key does, or that of a part. */
export function columnsNamed(columns: readonly Column[], name: string): Column[] {
  const wanted = name.trim();
  const equal = columns.filter((column) => column.name === wanted);
  if (equal.length > 0) return equal;
  const key = columnKey(wanted);
  if (key === '') return [];
  const part = headingKey(wanted.slice(0, longestName));
  return columns.filter((column) => {
    const known = keysOf.get(column) ?? { key: columnKey(column.name), parts: partKeys(column.name) };
    keysOf.set(column, known);
    return known.key === key || known.parts.includes(part);
  });
}

/** Rules may name thousands of columns of thousands. */
const keysOf = new WeakMap<Column, { key: string; parts: readonly string[] }>();

/** What a column means by its name alone; empty if that is not known. */
const sensesOfColumn = ({ name }: Column): readonly Sense[] => readHeading(name);

/** The same where somebody looks for this meaning. */
const sensesFor = (column: Column, meaning: Meaning): readonly Sense[] =>
  meaning === 'endDate' || meaning === 'startDate' ? readPresence(column.name) : sensesOfColumn(column);

const isSure = ({ isBeside, isUnsure }: Sense): boolean => !isBeside && !isUnsure;

/** What was asked of a header before: some ask it for each of its columns. */
const meant = new WeakMap<readonly Column[], Map<Meaning, readonly Column[]>>();

/**
 * The columns of one meaning by their names, never somebody else's or a private one, those of the best rank only: one is an answer,
 * several are ambiguous.
 */
export function columnsMeaning(columns: readonly Column[], meaning: Meaning): readonly Column[] {
  const known = meant.get(columns) ?? new Map<Meaning, readonly Column[]>();
  meant.set(columns, known);
  const found = known.get(meaning) ?? findMeaning(columns, meaning);
  known.set(meaning, found);
  return found;
}

function findMeaning(columns: readonly Column[], meaning: Meaning): readonly Column[] {
  const found = columns.flatMap((column) => {
    const sense = sensesFor(column, meaning).find((each) => each.meaning === meaning && isSure(each));
    return sense ? [{ column, rank: sense.rank }] : [];
  });
  if (found.length === 0) return meaning === 'firstname' || meaning === 'lastname' ? namesBeside(columns, meaning) : [];
  const best = found.reduce((least, { rank }) => Math.min(least, rank), Infinity);
  return found.filter(({ rank }) => rank === best).map(({ column }) => column);
}

/** Columns that hold one name because a column of the other one is next to them, such as `Name` next to `Vorname`. */
function namesBeside(columns: readonly Column[], meaning: 'firstname' | 'lastname'): Column[] {
  const other = meaning === 'firstname' ? 'lastname' : 'firstname';
  const others = columns.flatMap((column) =>
    sensesOfColumn(column).filter((each) => each.meaning === other && isSure(each)),
  );
  const spoken = new Set(others.flatMap(({ languages }) => languages));
  return columns.filter((column) =>
    sensesOfColumn(column).some(
      ({ meaning: its, isBeside, languages }) =>
        its === meaning && isBeside && languages.some((language) => spoken.has(language)),
    ),
  );
}

export function columnsOffered(columns: readonly Column[], meaning: Meaning): Column[] {
  return columns.filter((column) =>
    sensesFor(column, meaning).some((each) => each.meaning === meaning && each.isUnsure),
  );
}

/** The columns that hold the employee's id at the employer, such as those of the staff and of payroll; the first is used. */
export const employeeIdColumns = (columns: readonly Column[]): readonly Column[] =>
  columnsMeaning(columns, 'employeeId');

/** The column that holds the first day of work, where exactly one does; `isSure` where it can be nothing else. */
export function startDateColumn(columns: readonly Column[]): { column: Column; isSure: boolean } | undefined {
  const sure = columnsMeaning(columns, 'startDate');
  const [column, ...others] = sure.length > 0 ? sure : columnsOffered(columns, 'startDate');
  return column && others.length === 0 ? { column, isSure: sure.length > 0 } : undefined;
}

/** Every column that holds a first day of work for sure: of the present employment, the first one, the last one. */
export const firstDayColumns = (columns: readonly Column[]): Column[] => [
  ...columnsMeaning(columns, 'startDate'),
  ...columns.filter(({ name }) => rehireKeys().has(headingKey(name))),
];
const rehireDays = listOf('rehire-days');
let rehires: ReadonlySet<string> | undefined;
const rehireKeys = (): ReadonlySet<string> => (rehires ??= new Set([...rehireDays()].map((day) => headingKey(day))));

/** The columns that may hold the first day of work: the sure ones, else those offered, else those of words of such a day. */
export function startDateColumns(columns: readonly Column[]): readonly Column[] {
  const sure = columnsMeaning(columns, 'startDate');
  if (sure.length > 0) return sure;
  const offered = columnsOffered(columns, 'startDate');
  return offered.length > 0 ? offered : columnsOfDay(columns, 'start');
}

/** Columns without another meaning whose headings have only words of a first or last day at work. */
export function columnsOfDay(columns: readonly Column[], kind: 'start' | 'end'): Column[] {
  return columnsWithoutMeaning(columns).filter(
    ({ name }) => readPresence(name).length === 0 && dayKindOf(name) === kind,
  );
}

/** Whether a column says who is still there (`status`), or who is gone (`gone`: disabled, blocked), by its name. */
export function statusKindOf({ name }: Column): 'status' | 'gone' | undefined {
  const found = readPresence(name).find((each) => isSure(each) && /^(?:status|gone)$/.test(each.meaning))?.meaning;
  return found === 'status' || found === 'gone' ? found : undefined;
}

export function columnsWithoutMeaning(columns: readonly Column[]): Column[] {
  return columns.filter((column) => sensesOfColumn(column).length === 0);
}

/** What may name groups, the likelier first; employers, countries and positions are offered only. */
const groupMeanings = [
  ['group'],
  ['department', 'team'],
  ['unit', 'site'],
  ['class'],
  ['position', 'employer'],
] as const satisfies Meaning[][];

/** How likely a column names groups: 0 is the likeliest. Undefined where its name, and the end of its path, say nothing of it. */
export function groupRank({ name }: Column): { rank: number; meaning: Meaning; isOffered: boolean } | undefined {
  const level = name.split('.').findLast((each) => each !== 'name' && each !== 'value') ?? '';
  for (const each of [name, withoutNumber(name), level]) {
    const senses = readHeading(each);
    const rank = groupMeanings.findIndex((meanings) => senses.some(({ meaning }) => isOneOf(meanings, meaning)));
    const sense = senses.find(({ meaning }) => isOneOf(groupMeanings[rank] ?? [], meaning));
    if (sense) return { rank, meaning: sense.meaning, isOffered: !isSure(sense) || rank === groupMeanings.length - 1 };
  }
  return undefined;
}

const isOneOf = (list: readonly Meaning[], meaning: Meaning): boolean => list.includes(meaning);

/** `Group 12` without the 12. */
export function withoutNumber(name: string): string {
  let end = name.length;
  while (end > 0 && /\d/.test(name[end - 1] ?? '')) end--;
  return name.slice(0, end);
}

/** Columns that hold first and last name in one; not `Name` next to `Vorname`, which is the last name alone. */
export function wholeNameColumns(columns: readonly Column[]): Column[] {
  const beside = [...columnsMeaning(columns, 'firstname'), ...columnsMeaning(columns, 'lastname')];
  return columnsMeaning(columns, 'fullname').filter((column) => !beside.includes(column));
}

/** Columns of one name next to the other one, which alone is mostly the whole name: `Nome`, `이름`. To be offered only. */
export function lonelyNameColumns(columns: readonly Column[]): Column[] {
  return columns.filter((column) => sensesOfColumn(column).some(({ isBeside }) => isBeside));
}

const lastNameFirst = wordSet('lastNameFirst');

/** Whether the heading of whole names says that the last name comes first. */
export function isLastNameFirst({ name }: Column): boolean {
  return lastNameFirst().has(headingKey(name.slice(0, longestName)));
}

export function hasTwoLastNames({ name }: Column): boolean {
  return isLastNameFirst({ name, index: 0 }) && columnKey(name).startsWith('apellidos');
}

export function isJapanese(column: Column): boolean {
  return sensesOfColumn(column).some(({ languages }) => languages.includes('ja') && !languages.includes('zh-hans'));
}

/** Private, somebody else's, a second one. */
export function privateEmailColumns(columns: readonly Column[]): Column[] {
  return columns.filter(
    (column) =>
      !sensesOfColumn(column).some((each) => each.meaning === 'email' && isSure(each)) && speaksOfEmail(column.name),
  );
}

/** What is known about a column by its name, but never taken for anything by itself. */
const offeredOnly: readonly Meaning[] = ['login', 'lastnamePrefix', 'employer'];

export function meaningOf(columns: readonly Column[], column: Column): Meaning | undefined {
  if (wholeNameColumns(columns).includes(column)) return 'fullname';
  const meanings = sensesOfColumn(column).map(({ meaning }) => meaning);
  const found = meanings.find((meaning) => meaning !== 'fullname' && columnsMeaning(columns, meaning).includes(column));
  if (found !== undefined) return offeredOnly.includes(found) ? undefined : found;
  if (statusKindOf(column) !== undefined) return statusKindOf(column);
  const group = groupRank(column);
  return group && !group.isOffered ? group.meaning : undefined;
}
