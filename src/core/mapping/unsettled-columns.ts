// What to say where it is not settled which column is what.
import {
  type Column,
  columnsMeaning,
  columnsWithoutMeaning,
  employeeIdColumn,
  wholeNameColumns,
} from '../columns/columns.ts';
import { kindOfTable } from '../columns/not-people.ts';
import { defined } from '../defined.ts';
import { InputError } from '../errors.ts';
import { listed, quote } from '../text/format.ts';
import { say } from '../words/say.ts';
import { adviseAddresses, type AddressesSeen } from './addresses-seen.ts';
import type { FoundFields } from './find-fields.ts';
import type { MappingOptions } from './mapping-options.ts';
import { bySettings, type Wording } from './mapping-rules.ts';

/** It is not settled how rows become members: columns have to be named. */
export class UnsettledColumns extends InputError {}

/** Where a header is missing, names of columns are those of a person: only the names that mean something are said anywhere. */
export function withoutNames(message: string, columns: readonly Column[]): { withoutWords: string } {
  const names = columnsWithoutMeaning(columns).map(({ name }) => quote(name));
  return { withoutWords: names.reduce((text, name) => text.replaceAll(name, quote('…')), message) };
}

/** How messages about these columns name what to set. */
export function wordingOf(columns: readonly Column[], { wording = bySettings, seen }: MappingOptions): Wording {
  if (!seen) return wording;
  const advice = adviseAddresses(columns, seen, wording);
  return {
    ...wording,
    ...defined({ names: seen.names }),
    withoutAddress: `no column is called e-mail; ${advice}`,
  };
}

/** A column of `van` and `de la` next to that of the last names, which would be sent without them. */
export function unusedPrefix(columns: readonly Column[], { lastname }: FoundFields, wording: Wording): string[] {
  const [prefix] = columnsMeaning(columns, 'lastnamePrefix');
  const [last] = lastname?.columns ?? [];
  if (!prefix || !last || lastname?.columns.includes(prefix) || lastname?.words.includes('{')) return [];
  const template = quote(`{${prefix.name}} {${last.name}}`, Infinity);
  return [say('unusedPrefix', 1, { column: quote(prefix.name), setting: wording.template('lastname', template) })];
}

/** Whether rows are of people, whatever their columns are called: addresses, names under a heading of names, ids of people. */
export function seemPeople(columns: readonly Column[], seen: AddressesSeen): boolean {
  const named = wholeNameColumns(columns).map(({ index }) => index);
  const hasNames = seen.names?.some(({ index }) => named.includes(index)) ?? false;
  return hasNames || seen.columns.length > 0 || employeeIdColumn(columns) !== undefined;
}

/** One sentence about a table in which nobody can be found, with what it looks like instead. */
export function notPeople(columns: readonly Column[], options: MappingOptions): string {
  const { file = 'The roster', wording = bySettings } = options;
  const value = columns.find(({ name }) => /^[\d\s./:-]+$/.test(name) && /\d/.test(name));
  if (value) return say('headerIsRow', 1, { file, value: quote(value.name) });
  const within = listWithin(columns);
  if (within !== undefined) return say('listWithin', 1, { file, setting: wording.records(within) });
  const kind = kindOfTable(columns.map(({ name }) => name));
  const looks = kind === undefined ? 'this does not look like a list of people' : `this looks like ${kind}`;
  const names = columns.map(({ name }) => quote(name));
  const { members: setting, headerLine: line } = wording;
  return say('notPeople', 1, { file, looks, columns: listed(names, mostShown), setting, line });
}

/** Where in the first record a list is that every column is of: `/0/answer/students`; undefined if there is none. */
function listWithin([first, ...others]: readonly Column[]): string | undefined {
  const path = first?.name.slice(0, first.name.lastIndexOf('.') + 1) ?? '';
  const isOf = path !== '' && others.length > 0 && others.every(({ name }) => name.startsWith(path));
  return isOf ? `/0/${path.slice(0, -1).replaceAll('.', '/')}` : undefined;
}

const mostShown = 8;
