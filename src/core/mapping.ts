import { cleanCell, isEmailAddress } from './cell.ts';
import {
  candidatesFor,
  columnsNamed,
  employeeIdColumn,
  groupCandidates,
  listColumns,
  privateEmailColumns,
  wholeNameColumns,
  type Column,
  type Field,
} from './columns.ts';
import { InputError } from './errors.ts';
import { addGroups, splitGroups } from './groups.ts';
import type { Member } from './member.ts';
import { isRejectColumn, type Reject, type Row } from './row.ts';

/** Which column of a roster gives what, settled once per roster. */
export interface Mapping {
  firstname: Column;
  lastname: Column;
  email: Column;
  telephone?: Column;
  /** Tells two rows of one person from two people on one address. */
  employeeId?: Column;
  /** Groups that everybody gets; they come before those of the columns. */
  groups: string[];
  groupColumns: Column[];
}

/** What was asked of the mapping. */
export interface MappingOptions {
  /** Fields whose column is named; `telephone: ''` leaves the telephone out. */
  map?: Partial<Record<Field, string>>;
  /** Names of groups for everybody. */
  groups: readonly string[];
  /** Columns whose cells name groups, several of them parted by `;`. */
  groupColumns: readonly string[];
  /** The roster's file, for messages. */
  file?: string;
}

/** A row that became a member. */
export interface MappedRow {
  row: Row;
  member: Member;
  employeeId?: string;
}

const fields = ['firstname', 'lastname', 'email', 'telephone'] as const satisfies Field[];
const words: Record<Field, string> = {
  firstname: 'first name',
  lastname: 'last name',
  email: 'e-mail',
  telephone: 'telephone',
};
/** As many columns as a message lists, and as much of a value as a reason quotes. */
const mostColumns = 40;
const mostOfValue = 80;
/** What stands in an id column for no id. */
const noId = new Set(['', '-', '0', 'n/a', 'na', 'none', 'null']);

/**
 * Settles which column gives which field, by the names given or by the header's own. Throws one `InputError` with
 * every problem, the columns found, and the flags to set: a field without a column (the telephone may lack one),
 * a field with several, nothing that gives groups. The columns of a rejects file (`_line` …) are not looked at.
 */
export function resolveColumns(header: readonly string[], options: MappingOptions): Mapping {
  const columns = listColumns(header).filter(({ name }) => !isRejectColumn(name));
  const problems: string[] = [];
  const found = Object.fromEntries(
    fields.map((field) => [field, fieldColumn(columns, field, options.map?.[field], problems)]),
  ) as Record<Field, Column | undefined>;
  const groups: string[] = [];
  addGroups(groups, options.groups.map(cleanCell));
  if (groups.includes('')) problems.push('A group given with --group has no name.');
  const groupColumns = findGroupColumns(columns, options, problems);
  const { firstname, lastname, email, telephone } = found;
  if (problems.length > 0 || !firstname || !lastname || !email) {
    throw new InputError(
      [`${options.file ?? 'The roster'}: ${problems.join('\n  ')}`, ...hints(columns, found)].join('\n  '),
    );
  }
  const employeeId = employeeIdColumn(columns);
  return {
    firstname,
    lastname,
    email,
    ...(telephone && { telephone }),
    ...(employeeId && { employeeId }),
    groups,
    groupColumns,
  };
}

function fieldColumn(
  columns: readonly Column[],
  field: Field,
  wanted: string | undefined,
  problems: string[],
): Column | undefined {
  if (wanted === '' && field === 'telephone') return undefined;
  const found = wanted === undefined ? candidatesFor(columns, field) : columnsNamed(columns, wanted);
  if (found.length === 1) return found[0];
  if (found.length > 1) {
    problems.push(several(`${words[field]} can come from`, found, `--map ${field}=COLUMN`));
  } else if (wanted !== undefined) {
    problems.push(`there is no column "${wanted}", which --map names for the ${words[field]}.`);
  } else if (field !== 'telephone') {
    problems.push(`no column gives the ${words[field]}: name it with --map ${field}=COLUMN.`);
  }
  return undefined;
}

function findGroupColumns(columns: readonly Column[], options: MappingOptions, problems: string[]): Column[] {
  if (options.groupColumns.length > 0) {
    const found = options.groupColumns.flatMap((name) => {
      const named = columnsNamed(columns, name);
      if (named.length === 0) problems.push(`there is no column "${name}", which --group-column names.`);
      if (named.length > 1) problems.push(several(`--group-column "${name}" can mean`, named, '--group-column COLUMN'));
      return named;
    });
    return [...new Set(found)];
  }
  if (options.groups.length > 0) return [];
  const own = groupCandidates(columns);
  if (own.length === 0) {
    problems.push(
      'nothing gives groups: name one with --group NAME, or columns that hold them with --group-column COLUMN.',
    );
  }
  if (own.length > 1) problems.push(several('groups can come from', own, '--group-column COLUMN'));
  return own;
}

function several(what: string, columns: readonly Column[], flag: string): string {
  const alike = new Set(columns.map(({ name }) => name)).size < columns.length;
  const places = columns.map(({ name, index }) => (alike ? `"${name}" (column ${index + 1})` : `"${name}"`));
  const next = alike ? 'give them names of their own in the file.' : `say which with ${flag}.`;
  return `${what} ${places.slice(0, -1).join(', ')} or ${places.at(-1)}: ${next}`;
}

function hints(columns: readonly Column[], found: Record<Field, Column | undefined>): string[] {
  const hints: string[] = [];
  const names = columns.slice(0, mostColumns).map(({ name }) => `"${name}"`);
  const left = columns.length - names.length;
  hints.push(`Columns found: ${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`);
  const [whole] = wholeNameColumns(columns);
  if (whole && !(found.firstname && found.lastname)) {
    hints.push(`"${whole.name}" is not split: first and last name need a column each.`);
  }
  const [other] = privateEmailColumns(columns);
  if (other && !found.email) hints.push(`"${other.name}" is not taken by itself: it may not be the work address.`);
  if (columns.some(({ name }) => isEmailAddress(name))) {
    hints.push('The first line looks like a person: the file needs a line with the names of its columns above it.');
  }
  return hints;
}

/** Which column gives which field, in the header's order: for showing before anything is sent. */
export function describeMapping(mapping: Mapping): { column: string; field: Field }[] {
  return fields
    .flatMap((field) => {
      const column = mapping[field];
      return column ? [{ column: column.name, field, index: column.index }] : [];
    })
    .toSorted((a, b) => a.index - b.index)
    .map(({ column, field }) => ({ column, field }));
}

/**
 * Makes a member of a row, or says why it cannot be one: no e-mail, first or last name, something that is no e-mail
 * address, or no group. Values are cleaned (`cleanCell`); the address stays as written, the telephone as given.
 */
export function mapRow(row: Row, mapping: Mapping): MappedRow | Reject {
  const { cells } = row;
  const email = cleanCell(cells[mapping.email.index] ?? '');
  if (email === '') return reject(row, mapping.email, 'e-mail is empty');
  const firstname = cleanCell(cells[mapping.firstname.index] ?? '');
  if (firstname === '') return reject(row, mapping.firstname, 'first name is empty');
  const lastname = cleanCell(cells[mapping.lastname.index] ?? '');
  if (lastname === '') return reject(row, mapping.lastname, 'last name is empty');
  if (!isEmailAddress(email)) return reject(row, mapping.email, `"${clip(email)}" is not an e-mail address`);
  const groups = [...mapping.groups];
  for (const { index } of mapping.groupColumns) addGroups(groups, splitGroups(cells[index] ?? ''));
  if (groups.length === 0) return rejectWithoutGroup(row, mapping);
  const member: Member = { firstname, lastname, email, groups };
  if (mapping.telephone) {
    const telephone = cleanCell(cells[mapping.telephone.index] ?? '');
    if (telephone !== '') member.telephone = telephone;
  }
  const employeeId = mapping.employeeId ? cleanCell(cells[mapping.employeeId.index] ?? '') : '';
  return noId.has(employeeId.toLowerCase()) ? { row, member } : { row, member, employeeId };
}

function reject(row: Row, { name, index }: Column, reason: string): Reject {
  return { ...row, column: name, value: row.cells[index] ?? '', reason };
}

function rejectWithoutGroup(row: Row, { groupColumns }: Mapping): Reject {
  const names = groupColumns.map(({ name }) => name);
  const [column = ''] = names;
  const reason = `no group: ${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} empty`;
  return { ...row, column, value: '', reason };
}

function clip(text: string): string {
  return text.length > mostOfValue ? `${text.slice(0, mostOfValue)}…` : text;
}
