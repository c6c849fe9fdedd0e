// Finds the columns that hold addresses, and says what is not settled about the columns of a header.
import { isEmailAddress } from '../cells/read-cell.ts';
import type { ColumnSurvey } from '../columns/column-survey.ts';
import {
  type Column,
  columnsMeaning,
  columnsWithoutMeaning,
  employeeIdColumns,
  wholeNameColumns,
} from '../columns/columns.ts';
import { defined } from '../defined.ts';
import { count, figure, quote, listed, someOf } from '../text/format.ts';
import { speaksOfEmail } from '../headings/read-heading.ts';
import { type Wording, asList, type MappingRules, parseTemplate, bySettings } from './mapping-rules.ts';
import { kindOfTable } from '../columns/not-people.ts';
import { InputError } from '../errors.ts';
import { say } from '../words/say.ts';
import type { FoundFields } from './find-fields.ts';

export type AddressesSeen = ReturnType<typeof addressesSeen>;

export const rowsLookedAt = 1000;
const mostNamed = 3;

/** The columns with e-mail addresses in the rows that were read. `domain`: that other sources have, for an example. */
export function addressesSeen(surveys: readonly ColumnSurvey[], domain?: string) {
  // An address in a cell of a remark or a title makes it no column of addresses.
  const columns = surveys
    .filter(({ addresses, filled, name }) => addresses > (speaksOfEmail(name) ? 0 : filled / 3))
    .toSorted((a, b) => b.addresses - a.addresses);
  return {
    rows: surveys[0]?.rows ?? 0,
    /** Columns of whole names, of which some may have no heading. */
    names: surveys.filter(areWholeNames),
    /** What each column holds, by its place: empty of an empty one, and the same of two that hold the same. */
    contents: new Map(surveys.map((each) => [each.index, contentOf(each)])),
    /** Columns that hold addresses, the fullest first, with how many. */
    columns: columns.map(({ name, addresses }) => ({ name, addresses })),
    ...defined({ domain }),
  };
}

/** Two to four words of letters with capitals, or scripts without them; with or without an address behind. */
const wholeName =
  /^"?(?!\p{Ll})[\p{L}\p{M}'’.-]{2,}(?:,? (?!\p{Ll}{4})[\p{L}\p{M}'’.-]+){1,3}"?(?:\s*[<(][^\s@]+@[^\s@]+[>)])?$/u;

function areWholeNames({ examples, filled, values }: ColumnSurvey): boolean {
  return filled > 0 && examples.every((text) => wholeName.test(text)) && (values?.size ?? filled) * 4 >= filled * 3;
}

const contentOf = ({ filled, sum, examples }: ColumnSurvey): string =>
  filled === 0 ? '' : JSON.stringify([filled, sum, examples]);

/** What to do where no column is known to give the address: name the one that holds some, or make them of names. */
export function adviseAddresses(of: readonly Column[], seen: AddressesSeen, wording: Wording): string {
  const { rows, columns, domain } = seen;
  const named = (name: string): string => wording.setting('email', quote(name, Infinity));
  const inRows = count(rows, 'row');
  const [first, ...others] = columns;
  if (first) {
    const said = columns.slice(0, mostNamed).map(({ name, addresses }) => {
      return `${name === '' ? 'a column without a name' : quote(name)} (${figure(addresses)} of ${inRows})`;
    });
    // Of several the fullest is often the private one.
    const next =
      others.length === 0
        ? `If they are work addresses, ${first.name === '' ? 'give it a name in the file' : `use ${named(first.name)}`}.`
        : `Use the one with work addresses: ${named('COLUMN')}.`;
    return `addresses are in ${said.join(', ')}. ${next}`;
  }
  const own = domain === undefined ? ', with your domain' : '';
  const template = quote(addressTemplate(of, domain), Infinity);
  const made = wording.template('email', template);
  return `no column contains addresses (${inRows} checked). If yours are made of names: ${made}${own}. ${namesakes}`;
}

const namesakes =
  'People of one name then share an address: with an employee id they are rejected, without one they count as one person.';

/** A template of addresses, of the user names where there are any, else of first and last names. */
export function addressTemplate(columns: readonly Column[], domain = 'example.com'): string {
  const [login] = columnsMeaning(columns, 'login');
  if (login) return `{${login.name}}@${domain}`;
  const [first] = columnsMeaning(columns, 'firstname');
  const [last] = columnsMeaning(columns, 'lastname');
  return `{${first?.name ?? 'First'}}.{${last?.name ?? 'Last'}}@${domain}`;
}

/** The domain that most sources allow or make addresses of; undefined if none is set. */
export function commonDomain(sources: Iterable<MappingRules>): string | undefined {
  const counts = new Map<string, number>();
  for (const { allow, members } of sources) {
    const { email } = members ?? {};
    const template = typeof email === 'object' ? (email.template ?? '') : '';
    const last = parseTemplate(template).at(-1);
    const made = last && 'text' in last ? last.text.slice(last.text.lastIndexOf('@') + 1) : '';
    for (const domain of [...asList(allow?.emails?.domains), made]) {
      if (isEmailAddress(`a@${domain}`)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

interface Asked {
  file?: string;
  wording?: Wording;
  seen?: AddressesSeen;
}

/** It is not settled how rows become members: columns have to be named. */
export class UnsettledColumns extends InputError {}

/** Where a header is missing, names of columns are those of a person: only the names that mean something are said anywhere. */
export function withoutNames(message: string, columns: readonly Column[]): { withoutWords: string } {
  const names = columnsWithoutMeaning(columns).map(({ name }) => quote(name));
  return { withoutWords: names.reduce((text, name) => text.replaceAll(name, quote('…')), message) };
}

/** How messages about these columns name what to set. */
export function wordingOf(columns: readonly Column[], { wording = bySettings, seen }: Asked): Wording {
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

/** Of several columns with ids of employees the first tells people apart, unless a rule names another. */
export function severalIds(columns: readonly Column[], { employeeId }: FoundFields): string[] {
  const [used] = employeeId?.columns ?? [];
  const others = employeeId?.why === 'by its name' ? employeeIdColumns(columns).filter((each) => each !== used) : [];
  if (!used || others.length === 0) return [];
  const [name, ...more] = others.map((each) => quote(each.name));
  return [
    say('severalIdColumns', others.length, { column: quote(used.name), name, names: someOf([name ?? '', ...more]) }),
  ];
}

/** Whether rows are of people, whatever their columns are called: addresses, names under a heading of names, ids of people. */
export function seemPeople(columns: readonly Column[], seen: AddressesSeen): boolean {
  const named = wholeNameColumns(columns).map(({ index }) => index);
  const hasNames = seen.names?.some(({ index }) => named.includes(index)) ?? false;
  return hasNames || seen.columns.length > 0 || employeeIdColumns(columns).length > 0;
}

/** One sentence about a table in which nobody can be found, with what it looks like instead. */
export function notPeople(columns: readonly Column[], options: Asked): string {
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
