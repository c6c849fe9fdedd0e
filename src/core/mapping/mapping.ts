// Settles how the rows of one roster become members: rules plus header.
import { cleanCell, isEmailAddress } from '../cells/read-cell.ts';
import { defined } from '../defined.ts';
import { ColumnFinder, severalOf } from './column-finder.ts';
import {
  type Column,
  columnsOffered,
  columnsMeaning,
  firstDayColumns,
  listColumns,
  wholeNameColumns,
} from '../columns/columns.ts';
import { DayOrders } from './day-orders.ts';
import { dayOf } from '../cells/days.ts';
import { InputError } from '../errors.ts';
import { numberReader } from './fields.ts';
import { findFields, type FoundFields, hintsFor } from './find-fields.ts';
import { type CompiledCondition, type FirstDays, makeCondition } from './filter.ts';
import { GroupNames } from './group-names.ts';
import { type CompiledGroups, compileGroupRule, type GroupTools } from './group-rules.ts';
import { effectiveRules, type MappingOptions, ruleOfColumn } from './mapping-options.ts';
import { type MappingRules, bySettings } from './mapping-rules.ts';
import { Remarks, NoValues } from './mapping-remarks.ts';
import { OptOuts } from './opt-outs.ts';
import { isRejectColumn } from '../rows/row.ts';
import {
  notPeople,
  seemPeople,
  severalIds,
  UnsettledColumns,
  unusedPrefix,
  withoutNames,
  wordingOf,
} from './unsettled-columns.ts';
import { anyOf } from '../text/wildcard.ts';
import { quote } from '../text/format.ts';
import { say } from '../words/say.ts';

export type Mapping = ReturnType<typeof resolveColumns>;

/**
 * Settles how rows become members, by the rules given or by the header's own names. Throws one `InputError` with
 * every problem, the columns found, and what to set: a field without a column (the telephone may lack one), a field
 * with several, a column that is not there, nothing that gives groups. The columns of a rejects file (`_line` …) are
 * not looked at.
 */
export function resolveColumns(header: readonly string[], options: MappingOptions) {
  const rules = effectiveRules(options);
  const { members = {}, allow = {} } = rules;
  const columns = listColumns(header).filter(({ name }) => !isRejectColumn(name));
  const finder = new ColumnFinder(columns, options.seen?.contents);
  const wording = wordingOf(columns, options);
  const noValues = new NoValues(allow.values, wording);
  const today = options.today && dayOf(options.today, options.timezone);
  const { timezone } = options;
  const tools: GroupTools = { finder, noValues, ...defined({ today, timezone }) };
  const fields = findFields(members, finder, wording, noValues);
  const groups = findGroups(rules, options, tools);
  const days = new DayOrders();
  const startOrder = typeof members.startDate === 'object' ? members.startDate.order : undefined;
  const startColumns = fields.startDate?.columns ?? [];
  const firstDays: FirstDays[] = [
    ...startColumns.map(({ index }) => ({ index, ...defined({ order: startOrder }) })),
    ...firstDayColumns(columns).filter(({ index }) => !startColumns.some((start) => start.index === index)),
  ];
  const conditions = (key: 'only' | 'except' | 'leavers'): CompiledCondition[] => {
    const ofRow = { ...tools, days, ...(key !== 'only' && { firstDays }) };
    return (rules[key] ?? []).map((rule) => makeCondition(rule, `a condition of \`${key}\` names`, ofRow));
  };
  const filters = { only: conditions('only'), except: conditions('except'), leavers: conditions('leavers') };
  const names = namesOf(groups, rules, options, finder);
  refuseUnsettled(fields, rules, options, finder);
  const needed = neededColumns(fields, groups, Object.values(filters).flat());
  const { firstname, lastname, email, telephone, employeeId, startDate } = fields;
  const others = [firstname, lastname, email, telephone, employeeId, startDate];
  return {
    fields,
    /** The name of the column to blame for an address. */
    emailColumn: email?.columns[0]?.name ?? '',
    groups,
    names,
    ...filters,
    ...defined({
      /** When somebody is employed, where rules ask for a last day. */
      employment: [...filters.leavers, ...filters.except].find(({ employment }) => employment)?.employment,
      /** The day it is; absent if nobody said so. */
      today,
      /** The one in which that is the day. */
      timezone,
      /** Telephones as E.164, where that is asked for. */
      number: numberReader(members.telephone),
      /** How days of the start date are written whose day and month could be swapped. */
      startOrder,
      /** A column that may hold employee ids, where none does for sure. */
      offeredId: columnsOffered(columns, 'employeeId')[0],
      /** Absent where every domain is. */
      isDomainAllowed: allow.emails?.domains && anyOf(allow.emails.domains),
    }),
    optedOut: new OptOuts(allow.people?.except),
    needed,
    /** How the days of columns are written whose order is set. */
    days,
    /** Every column that is read, once. */
    read: [...new Set([...needed, ...others.flatMap((source) => source?.columns ?? [])])],
    noValues,
    remarks: new Remarks(names, noValues, [...unusedPrefix(columns, fields, wording), ...severalIds(columns, fields)]),
  };
}

/** The names of groups as they are sent; those that rules write themselves must be allowed. */
function namesOf(
  groups: readonly CompiledGroups[],
  rules: MappingRules,
  { knownGroups = [] }: MappingOptions,
  { problems }: ColumnFinder,
): GroupNames {
  const fixed = groups.flatMap((group) => group.fixed);
  const names = new GroupNames(rules, fixed, knownGroups);
  for (const name of fixed.filter((name) => !names.isAllowed(name))) {
    problems.push(`the group ${quote(name)} is given by the settings themselves, but allow.groups does not allow it.`);
  }
  return names;
}

/** The columns of people as far as a header has them. */
export function columnsThere(header: readonly string[], options: MappingOptions): FoundFields {
  const columns = listColumns(header);
  return findFields(effectiveRules(options).members ?? {}, new ColumnFinder(columns), wordingOf(columns, options));
}

/** Throws if the table is not one of people, or if its columns leave a question. */
function refuseUnsettled(
  fields: FoundFields,
  { members = {} }: MappingRules,
  options: MappingOptions,
  { columns, problems }: ColumnFinder,
): void {
  const { firstname, lastname, fullname, email } = fields;
  const hasName = fullname !== undefined || (firstname !== undefined && lastname !== undefined);
  if (problems.length === 0 && email && hasName) return;
  const isNobody = !firstname && !lastname && !fullname && !email && wholeNameColumns(columns).length === 0;
  const isUntold = isNobody && Object.keys(members).length === 0;
  if (isUntold && options.seen && !seemPeople(columns, options.seen)) {
    const said = notPeople(columns, options);
    throw new InputError(said, withoutNames(said, columns));
  }
  const isPerson = columns.some(({ name }) => isEmailAddress(name));
  const said = [...(isPerson ? [say('noHeader', 1)] : []), ...(isPerson && isUntold ? [] : new Set(problems))];
  const hints = hintsFor(columns, fields, wordingOf(columns, options));
  const message = [`${options.file ?? 'The roster'}: ${said.join('\n  ')}`, ...hints].join('\n  ');
  throw new UnsettledColumns(message, withoutNames(message, columns));
}

/** The columns that a row cut short must still have. */
function neededColumns(
  { firstname, lastname, fullname, email, startDate }: FoundFields,
  groups: readonly CompiledGroups[],
  conditions: readonly CompiledCondition[],
): Column[] {
  return [
    ...[firstname, lastname, email].flatMap((source) => source?.columns[0] ?? []),
    ...(fullname ? [fullname.column] : []),
    ...groups.flatMap((group) => [...group.columns, ...(group.asked ?? [])]),
    ...conditions.flatMap(({ column }) => column ?? []),
    ...(startDate?.columns ?? []),
  ];
}

function findGroups(rules: MappingRules, options: MappingOptions, tools: GroupTools): CompiledGroups[] {
  const { finder } = tools;
  const { groupMatrix = [], wording = bySettings } = options;
  const isGiven = options.groups.length + options.groupColumns.length + groupMatrix.length > 0;
  if (options.groups.some((name) => cleanCell(name) === '')) {
    finder.problems.push('A group that is given has no name.');
  }
  if (rules.groups !== undefined && rules.groups.length > 0) {
    return rules.groups.map((rule) => {
      const { groupsBy } = isGiven ? wording : bySettings;
      return compileGroupRule(rule, groupsBy(rule.matrix === undefined ? 'column' : 'matrix'), tools);
    });
  }
  const own = columnsMeaning(finder.columns, 'group');
  if (own.length === 0) finder.problems.push(`nothing gives groups: ${wording.noGroups}.`);
  if (own.length > 1) finder.problems.push(`groups ${severalOf('can come from', own, wording.severalGroups)}`);
  return own.map(({ name }) => compileGroupRule(ruleOfColumn(name, options.splits), 'groups names', tools));
}

export type MappedField = keyof Omit<FoundFields, 'fullname'> | 'groups';

/** So many columns of groups are named; a matrix may have hundreds. */
const mostGroupColumns = 8;

/** Which column gives which field, in the header's order: for showing before anything is sent. */
export function describeMapping({ fields, groups }: Mapping): { column: string; field: MappedField }[] {
  const { fullname, ...others } = fields;
  const columns = [...new Set(groups.flatMap((group) => group.columns))];
  const [first, last] = [columns[0], columns.at(-1)];
  const areMany = columns.length > mostGroupColumns;
  const given = [
    ...Object.entries(others).map(([field, { words, columns }]) => ({ column: words, field, columns })),
    ...['firstname', 'lastname'].flatMap((field) =>
      fullname && !(field in others) ? [{ column: fullname.column.name, field, columns: [fullname.column] }] : [],
    ),
    ...(areMany ? [columns] : columns.map((column) => [column])).map((columns) => ({
      column: areMany ? `${first?.name} … ${last?.name} (${columns.length} columns)` : (columns[0]?.name ?? ''),
      field: 'groups',
      columns,
    })),
  ];
  const placeOf = (each: (typeof given)[number]): number => Math.min(...each.columns.map(({ index }) => index));
  return given
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ column, field }) => ({ column, field: field as MappedField }));
}
