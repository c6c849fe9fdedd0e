import { cleanCell, isEmailAddress } from '../cell.ts';
import { ColumnFinder, severalOf } from './column-finder.ts';
import { groupCandidates, listColumns, type Column, type Field } from '../columns.ts';
import { mergeRules } from './merge-rules.ts';
import { type Day, dayOf, readDay } from './days.ts';
import { InputError } from '../errors.ts';
import { fieldWords, numberReader } from './fields.ts';
import { findFields, hintsFor, type FoundFields, type Wording } from './find-fields.ts';
import { makeCondition, type Condition, type ConditionTools, type Unjudged } from './filter.ts';
import { GroupNames } from './group-names.ts';
import { compileGroupRule, type CompiledGroups } from './group-rules.ts';
import { columnsAsked, type GroupRule, type MappingRules, type MemberRules } from './mapping-rules.ts';
import { Remarks } from './mapping-remarks.ts';
import { personKey, type Member } from '../member.ts';
import { isRejectColumn, type Reject, type Row } from '../row.ts';
import type { MappingTools } from './tools.ts';
import { anyOf } from './wildcard.ts';

/** How rows of one roster become members, settled once per roster. */
export interface Mapping {
  fields: FoundFields;
  /** The name of the column to blame for an address. */
  emailColumn: string;
  groups: CompiledGroups[];
  names: GroupNames;
  only: Condition[];
  except: Condition[];
  leavers: Condition[];
  /** How days of the start date are written whose day and month could be swapped. */
  startOrder?: 'dmy' | 'mdy';
  /** The day it is; absent where nobody said so. */
  today?: Day;
  /** Telephones as E.164, where that is asked for. */
  number?: (text: string) => string | undefined;
  /** Absent where every domain is. */
  isDomainAllowed?: (domain: string) => boolean;
  optedOut: ReadonlySet<string>;
  /** The columns that a row cut short must still have. */
  needed: Column[];
  remarks: Remarks;
}

/** What was asked of the mapping. */
export interface MappingOptions {
  /** Fields whose column is named by flags; `telephone: ''` leaves the telephone out. */
  map?: Partial<Record<Field, string>>;
  /** Names of groups for everybody. */
  groups: readonly string[];
  /** Columns whose cells name groups, several of them parted by `;`. */
  groupColumns: readonly string[];
  /** The rules of the config. Columns in `map` go before those; groups given above take the place of its groups. */
  rules?: MappingRules;
  /** Rules that hold where those of the config say nothing: a preset's. */
  defaults?: MappingRules;
  /** What the rules need, by `loadTools`. */
  tools?: MappingTools;
  /** The time by which `past` and start dates are judged. */
  today?: Date;
  /** Where it is the day that it is: a name of the IANA time zones. Unless said, UTC. */
  timezone?: string;
  /** Names of groups given before at the service, the most frequent first. */
  knownGroups?: readonly string[];
  /** The roster's file, for messages. */
  file?: string;
}

/** A row that became a member. */
export interface MappedRow {
  row: Row;
  member: Member;
  employeeId?: string;
  /** Not before this day; absent for at once. */
  startsOn?: Day;
}

/** A row that is left out on purpose. */
export interface FilteredRow {
  row: Row;
  /** `not Status is Active or On leave`, `opted out` */
  filtered: string;
  /** Who left, where the row says that somebody did. */
  leaver?: { key?: string; employeeId?: string };
}

/** As much of a value as a reason quotes. */
const mostOfValue = 80;
/** What stands in an id column for no id. */
const noId = new Set(['', '-', '0', 'n/a', 'na', 'none', 'null']);
const longestNoId = 4;

/** How messages say where a column is named by flags. */
export const byFlags: Wording = {
  asker: (field) => `--map names for the ${fieldWords[field]}`,
  setting: (field) => `--map ${field}="COLUMN"`,
};
const byConfig: Wording = {
  asker: (field) => `members.${field} names`,
  setting: (field) => `members: { ${field}: COLUMN }`,
};

/** The rules that flags, config and preset make together. */
export function effectiveRules({ map = {}, groups, groupColumns, ...options }: MappingOptions): MappingRules {
  const rules = mergeRules(options.rules ?? {}, options.defaults ?? {});
  const { telephone, ...others } = map;
  const given: GroupRule[] = [
    ...groups.map((always) => ({ always })),
    ...groupColumns.map((column) => ({ column, split: ';' })),
  ];
  const members: MemberRules = { ...others };
  if (telephone !== undefined) members.telephone = telephone === '' ? false : telephone;
  return mergeRules({ members, ...(given.length > 0 && { groups: given }) }, rules);
}

/** The columns and paths that flags and config name: what a reader of nested records must look for. */
export function pathsAsked(options: MappingOptions): string[] {
  return columnsAsked(effectiveRules(options));
}

/**
 * Settles how rows become members, by the rules given or by the header's own names. Throws one `InputError` with
 * every problem, the columns found, and what to set: a field without a column (the telephone may lack one), a field
 * with several, a column that is not there, nothing that gives groups. The columns of a rejects file (`_line` …) are
 * not looked at.
 */
export function resolveColumns(header: readonly string[], options: MappingOptions): Mapping {
  const rules = effectiveRules(options);
  const finder = new ColumnFinder(listColumns(header).filter(({ name }) => !isRejectColumn(name)));
  const { problems, columns } = finder;
  const wording = (options.rules ?? options.defaults) && options.map === undefined ? byConfig : byFlags;
  const fields = findFields(rules.members ?? {}, finder, wording);
  const { tools = {}, today, knownGroups = [] } = options;
  const day = today && dayOf(today, options.timezone);
  const conditionTools: ConditionTools = { ...tools, finder, ...(day !== undefined && { today: day }) };
  const groups = findGroups(rules, options, conditionTools);
  const condition = (rule: Parameters<typeof makeCondition>[0], key: string): Condition =>
    makeCondition(rule, `${key} asks about`, conditionTools);
  const only = (rules.only ?? []).map((rule) => condition(rule, 'only'));
  const except = (rules.except ?? []).map((rule) => condition(rule, 'except'));
  const leavers = (rules.leavers ?? []).map((rule) => condition(rule, 'leavers'));
  const fixed = groups.flatMap((group) => group.fixed);
  const names = new GroupNames(rules, fixed, knownGroups);
  for (const name of fixed.filter((name) => !names.isAllowed(name))) {
    problems.push(`the group "${name}" is given by the settings themselves, but allow.groups does not allow it.`);
  }
  const { firstname, lastname, fullname, email } = fields;
  if (problems.length > 0 || !email || !(fullname ?? (firstname && lastname))) {
    const said = [...new Set(problems)].join('\n  ');
    throw new InputError([`${options.file ?? 'The roster'}: ${said}`, ...hintsFor(columns, fields)].join('\n  '));
  }
  const number = numberReader(rules.members?.telephone, tools);
  const { emails, people } = rules.allow ?? {};
  return {
    fields,
    emailColumn: email.columns[0]?.name ?? '',
    groups,
    names,
    only,
    except,
    leavers,
    ...startOrderOf(rules),
    ...(day !== undefined && { today: day }),
    ...(number && { number }),
    ...(emails?.domains && { isDomainAllowed: anyOf(emails.domains) }),
    optedOut: new Set((people?.except ?? []).map(personKey)),
    needed: [
      ...[firstname, lastname, email].flatMap((source) => source?.columns[0] ?? []),
      ...(fullname ? [fullname.column] : []),
      ...groups.flatMap((group) => [...group.columns, ...(group.asked ?? [])]),
      ...[...only, ...except, ...leavers].flatMap(({ column }) => column ?? []),
      ...(fields.startDate?.columns ?? []),
    ],
    remarks: new Remarks(names),
  };
}

function findGroups(rules: MappingRules, options: MappingOptions, tools: ConditionTools): CompiledGroups[] {
  const { finder } = tools;
  const isByFlags = options.groups.length + options.groupColumns.length > 0;
  if (options.groups.some((name) => cleanCell(name) === '')) {
    finder.problems.push('A group given with --group has no name.');
  }
  if (rules.groups !== undefined && rules.groups.length > 0) {
    const asker = isByFlags ? '--group-column names' : 'groups names';
    return rules.groups.map((rule) => compileGroupRule(rule, asker, tools));
  }
  const own = groupCandidates(finder.columns);
  if (own.length === 0) {
    finder.problems.push(
      'nothing gives groups: name one with --group NAME, or columns that hold them with --group-column COLUMN' +
        `${(options.rules ?? options.defaults) ? ', or set groups of the source' : ''}.`,
    );
  }
  if (own.length > 1) {
    finder.problems.push(`groups ${severalOf('can come from', own, 'say which with --group-column COLUMN.')}`);
  }
  return own.map(({ name }) => compileGroupRule({ column: name, split: ';' }, 'groups names', tools));
}

/** Which column gives which field, in the header's order: for showing before anything is sent. */
export function describeMapping({ fields }: Mapping): { column: string; field: Field }[] {
  const { fullname } = fields;
  const names = (['firstname', 'lastname', 'email', 'telephone'] as const).flatMap((field) => {
    const source = fields[field];
    return source ? [{ column: source.words, field, index: source.columns[0]?.index ?? 0 }] : [];
  });
  if (fullname) {
    const { column } = fullname;
    for (const field of ['firstname', 'lastname'] as const) {
      if (!fields[field]) names.push({ column: column.name, field, index: column.index });
    }
  }
  return names.toSorted((a, b) => a.index - b.index).map(({ column, field }) => ({ column, field }));
}

/** Whose row it is, also where it cannot become a member; undefined where its address cannot be read. */
export function personOfRow({ cells }: Row, { fields }: Mapping): string | undefined {
  const email = fields.email?.read(cells) ?? '';
  return isEmailAddress(email) ? personKey(email) : undefined;
}

/**
 * Makes a member of a row, or says why it is left out, or why it cannot be one: no e-mail, first or last name,
 * something that is no e-mail address or not of an allowed domain, no group or too many. Values are cleaned
 * (`cleanCell`); the address stays as written, the telephone as given unless E.164 is asked for.
 */
export function mapRow(row: Row, mapping: Mapping): MappedRow | FilteredRow | Reject {
  const { missing, leftOut, cells } = row;
  if (leftOut !== undefined) return { row, filtered: leftOut };
  const cut = missing && mapping.needed.find(({ index }) => missing.has(index));
  if (cut) return rejectOf(row, cut, `the row ends before ${cut.name}: is it complete?`);
  const gone = leaverOf(row, mapping);
  if (gone) return gone;
  const left = filter(row, mapping);
  if (left) return left;
  const { fields } = mapping;
  const email = fields.email?.read(cells) ?? '';
  const employeeId = fields.employeeId?.read(cells) ?? '';
  if (mapping.optedOut.size > 0 && (mapping.optedOut.has(personKey(email)) || isOut(employeeId, mapping))) {
    return { row, filtered: 'opted out (allow.people.except)' };
  }
  if (email === '') return rejectOf(row, fields.email?.columns[0], 'e-mail is empty');
  const name = readName(row, mapping);
  if ('reason' in name) return name;
  if (!isEmailAddress(email)) {
    return rejectOf(row, fields.email?.columns[0], `"${clip(email)}" is not an e-mail address`);
  }
  if (mapping.isDomainAllowed?.(email.slice(email.lastIndexOf('@') + 1)) === false) {
    return rejectOf(row, fields.email?.columns[0], `"${clip(email)}" is not of a domain in allow.emails.domains`);
  }
  const startsOn = readStart(row, mapping);
  if (typeof startsOn === 'object') return startsOn;
  const groups = readGroups(row, mapping);
  if (!Array.isArray(groups)) return groups;
  const member: Member = { ...name, email, groups };
  const telephone = readTelephone(row, mapping);
  if (telephone !== '') member.telephone = telephone;
  return {
    ...{ row, member },
    ...(isId(employeeId) && { employeeId }),
    ...(startsOn !== undefined && { startsOn }),
  };
}

function startOrderOf({ members }: MappingRules): Pick<Mapping, 'startOrder'> {
  const { startDate } = members ?? {};
  return typeof startDate === 'object' && startDate.order ? { startOrder: startDate.order } : {};
}

/** The first day of work, where that is still to come. */
function readStart(row: Row, { fields, startOrder, today }: Mapping): Day | undefined | Reject {
  const { startDate } = fields;
  if (!startDate) return undefined;
  const day = readDay(startDate.read(row.cells), startOrder);
  if (typeof day === 'object') return rejectOf(row, startDate.columns[0], `start date: ${day.reason}`);
  return day !== undefined && (today === undefined || day > today) ? day : undefined;
}

/** Whoever left by their own row. */
function leaverOf(row: Row, { leavers, fields }: Mapping): FilteredRow | Reject | undefined {
  for (const { holds, words } of leavers) {
    const result = holds(row.cells);
    if (result === false) continue;
    if (result !== true) return unjudged(row, result);
    const email = fields.email?.read(row.cells) ?? '';
    const employeeId = fields.employeeId?.read(row.cells) ?? '';
    const leaver = {
      ...(email !== '' && { key: personKey(email) }),
      ...(isId(employeeId) && { employeeId }),
    };
    return { row, filtered: `left: ${words}`, leaver };
  }
  return undefined;
}

// The length is looked at first: what is looked for in a set stays in memory for longer than it is needed.
const isId = (text: string): boolean => text.length > longestNoId || !noId.has(text.toLowerCase());

const isOut = (employeeId: string, { optedOut }: Mapping): boolean =>
  employeeId !== '' && optedOut.has(personKey(employeeId));

function filter(row: Row, { only, except }: Mapping): FilteredRow | Reject | undefined {
  for (const { holds, words } of only) {
    const result = holds(row.cells);
    if (result === false) return { row, filtered: `not: ${words}` };
    if (result !== true) return unjudged(row, result);
  }
  for (const { holds, words } of except) {
    const result = holds(row.cells);
    if (result === true) return { row, filtered: words };
    if (result !== false) return unjudged(row, result);
  }
  return undefined;
}

function readName(row: Row, { fields }: Mapping): { firstname: string; lastname: string } | Reject {
  const { cells } = row;
  const { fullname } = fields;
  let firstname = fields.firstname?.read(cells);
  let lastname = fields.lastname?.read(cells);
  if (fullname && (firstname === undefined || lastname === undefined)) {
    const split = fullname.split(cells);
    if ('reason' in split) return rejectOf(row, fullname.column, split.reason);
    firstname ??= split.firstname;
    lastname ??= split.lastname;
  }
  if (!firstname) return rejectOf(row, fields.firstname?.columns[0], 'first name is empty');
  if (!lastname) return rejectOf(row, fields.lastname?.columns[0], 'last name is empty');
  return { firstname, lastname };
}

function readGroups(row: Row, mapping: Mapping): string[] | Reject {
  const raw: string[] = [];
  for (const { add } of mapping.groups) {
    const result = add(row.cells, raw);
    if (result) return unjudged(row, result);
  }
  const { names } = mapping;
  const groups: string[] = [];
  for (const each of raw) {
    const name = names.nameOf(each);
    if (name !== undefined && !groups.includes(name)) groups.push(name);
    if (groups.length > names.perPerson) return rejectGroups(row, mapping, tooManyGroups(names.perPerson));
  }
  if (groups.length > 0) return groups;
  if (raw.length > 0) return rejectGroups(row, mapping, `no group: allow.groups leaves out ${clip(raw.join(', '))}`);
  const empty = mapping.groups.flatMap((group) => group.columns).filter(({ index }) => isBlank(row.cells[index] ?? ''));
  const columns = [...new Set(empty.map(({ name }) => name))];
  const many = columns.length > 3 ? [...columns.slice(0, 3), `${columns.length - 3} more`] : columns;
  const why =
    columns.length > 0 ? `${many.join(' and ')} ${many.length > 1 ? 'are' : 'is'} empty` : 'no rule gives one';
  return rejectGroups(row, mapping, `no group: ${why}`);
}

/** Whether a cell holds nothing that could name a group. */
const isBlank = (cell: string): boolean => !/[\p{L}\p{N}\p{S}]/u.test(cell);

/** Why somebody with too many groups is not sent. */
export function tooManyGroups(perPerson: number): string {
  return `more than ${perPerson} groups for one person (allow.groups.perPerson)`;
}

function rejectGroups(row: Row, { groups }: Mapping, reason: string): Reject {
  const column = groups.flatMap((group) => group.columns)[0];
  return { ...row, column: column?.name ?? '', value: column ? (row.cells[column.index] ?? '').trim() : '', reason };
}

function readTelephone({ cells, line }: Row, { fields, number, remarks }: Mapping): string {
  const telephone = fields.telephone?.read(cells) ?? '';
  if (telephone === '' || !number) return telephone;
  const found = number(telephone);
  if (found === undefined) remarks.noNumber(line);
  return found ?? '';
}

function unjudged(row: Row, { column, reason }: Unjudged): Reject {
  return rejectOf(row, column, reason);
}

function rejectOf(row: Row, column: { name: string; index: number } | undefined, reason: string): Reject {
  if (!column) return { ...row, column: '', value: '', reason };
  return { ...row, column: column.name, value: row.cells[column.index] ?? '', reason };
}

function clip(text: string): string {
  return text.length > mostOfValue ? `${text.slice(0, mostOfValue)}…` : text;
}
