// What to say where it is not settled which column is what: by flags, or by settings.
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
import { listed } from '../text/figures.ts';
import { quote } from '../text/quote.ts';
import { say } from '../words/say.ts';
import { adviseAddresses, type AddressesSeen } from './addresses-seen.ts';
import { fieldWords } from './fields.ts';
import type { FoundFields, Wording } from './find-fields.ts';
import { type MappingOptions, speaksOfFlags } from './mapping-options.ts';

/** It is not settled how rows become members: columns have to be named. */
export class UnsettledColumns extends InputError {}

/** Where a header is missing, names of columns are those of a person: only the names that mean something are said anywhere. */
export function withoutNames(message: string, columns: readonly Column[]): { withoutWords: string } {
  const names = columnsWithoutMeaning(columns).map(({ name }) => quote(name));
  return { withoutWords: names.reduce((text, name) => text.replaceAll(name, quote('…')), message) };
}

export const byFlags: Wording = {
  asker: (field) => `--map names for the ${fieldWords[field]}`,
  setting: (field) => `--map ${field}="COLUMN"`,
};
const byConfig: Wording = {
  asker: (field) => `members.${field} names`,
  setting: (field) => `members: { ${field}: ${field === 'fullname' ? '{ column: COLUMN }' : 'COLUMN'} }`,
};

/** How messages about these columns name what to set. */
export function wordingOf(columns: readonly Column[], options: MappingOptions): Wording {
  const isByFlags = speaksOfFlags(options);
  const wording = isByFlags ? byFlags : byConfig;
  if (!options.seen) return wording;
  const advice = adviseAddresses(columns, options.seen, isByFlags);
  return {
    ...wording,
    ...defined({ names: options.seen.names }),
    withoutAddress: `no column is called e-mail; ${advice}`,
  };
}

/** What to do where nothing gives groups, or several columns can, with flags. */
export const groupsByFlags = {
  none: 'noGroupsByFlags',
  several: 'say which with --group-column COLUMN.',
};
/** The same for settings. */
export const groupsByConfig = {
  none: 'noGroupsByConfig',
  several: 'say which with groups: [{ column: COLUMN }] of the source.',
};

/** A column of `van` and `de la` next to that of the last names, which would be sent without them. */
export function unusedPrefix(columns: readonly Column[], { lastname }: FoundFields, options: MappingOptions): string[] {
  const [prefix] = columnsMeaning(columns, 'lastnamePrefix');
  const [last] = lastname?.columns ?? [];
  if (!prefix || !last || lastname?.columns.includes(prefix) || lastname?.words.includes('{')) return [];
  const template = quote(`{${prefix.name}} {${last.name}}`, Infinity);
  const setting = speaksOfFlags(options)
    ? `--map lastname=${template}`
    : `members: { lastname: { template: ${template} } }`;
  return [say('unusedPrefix', 1, { column: quote(prefix.name), setting })];
}

/** Whether rows are of people, whatever their columns are called: addresses, names under a heading of names, ids of people. */
export function seemPeople(columns: readonly Column[], seen: AddressesSeen): boolean {
  const named = wholeNameColumns(columns).map(({ index }) => index);
  const hasNames = seen.names?.some(({ index }) => named.includes(index)) ?? false;
  return hasNames || seen.columns.length > 0 || employeeIdColumn(columns) !== undefined;
}

/** One sentence about a table in which nobody can be found, with what it looks like instead. */
export function notPeople(columns: readonly Column[], options: MappingOptions): string {
  const { file = 'The roster' } = options;
  const isByFlags = speaksOfFlags(options);
  const value = columns.find(({ name }) => /^[\d\s./:-]+$/.test(name) && /\d/.test(name));
  if (value) return say('headerIsRow', 1, { file, value: quote(value.name) });
  const within = listWithin(columns);
  const records = isByFlags ? `--records ${within}` : `read: { records: ${within} }`;
  if (within !== undefined) return say('listWithin', 1, { file, setting: records });
  const kind = kindOfTable(columns.map(({ name }) => name));
  const looks = kind === undefined ? 'this does not look like a list of people' : `this looks like ${kind}`;
  const names = columns.map(({ name }) => quote(name));
  const setting = isByFlags ? '--map' : 'members of the source';
  const line = isByFlags ? '--header-line NUMBER' : 'read: { headerLine: NUMBER }';
  return say('notPeople', 1, { file, looks, columns: listed(names, mostShown), setting, line });
}

/** Where in the first record a list is that every column is of: `/0/answer/students`; undefined if there is none. */
function listWithin([first, ...others]: readonly Column[]): string | undefined {
  const path = first?.name.slice(0, first.name.lastIndexOf('.') + 1) ?? '';
  const isOf = path !== '' && others.length > 0 && others.every(({ name }) => name.startsWith(path));
  return isOf ? `/0/${path.slice(0, -1).replaceAll('.', '/')}` : undefined;
}

const mostShown = 8;
