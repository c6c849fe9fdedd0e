// Settles how the rows of one roster become members: rules plus header.
import { cleanCell } from '../rows/clean-cell.ts';
import { ColumnFinder, severalOf } from './column-finder.ts';
import {
  groupCandidates,
  listColumns,
  type Column,
  type Field,
  wholeNameColumns,
  columnsMeaning,
} from '../inspect/columns.ts';
import { mergeRules } from './merge-rules.ts';
import { type Day, dayOf } from './days.ts';
import { InputError } from '../errors.ts';
import { fieldWords, numberReader } from './fields.ts';
import { findFields, hintsFor, type FoundFields, type Wording } from './find-fields.ts';
import { makeCondition, type Condition } from './filter.ts';
import { GroupNames } from './group-names.ts';
import { compileGroupRule, type CompiledGroups, type GroupTools } from './group-rules.ts';
import {
  columnsAsked,
  type FieldRule,
  type GroupRule,
  type MappingRules,
  type MemberRules,
  parseTemplate,
} from './mapping-rules.ts';
import { addressAdvice, type AddressesSeen, addressTemplate } from './addresses-seen.ts';
import { Remarks } from './mapping-remarks.ts';
import { NoValues } from './no-values.ts';
import type { PresenceRules } from '../inspect/presence/sign.ts';
import { personKey } from '../person/member.ts';
import { kindOfTable } from '../inspect/not-people.ts';
import { isRejectColumn } from '../rows/row.ts';
import type { MappingTools } from './tools.ts';
import { anyOf } from './wildcard.ts';
import { quote } from '../text/quote.ts';

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
  /** The day it is; absent if nobody said so. */
  today?: Day;
  /** Telephones as E.164, where that is asked for. */
  number?: (text: string) => string | undefined;
  /** Absent where every domain is. */
  isDomainAllowed?: (domain: string) => boolean;
  optedOut: ReadonlySet<string>;
  /** The columns that a row cut short must still have. */
  needed: Column[];
  /** Every column that is read, once. */
  read: Column[];
  noValues: NoValues;
  remarks: Remarks;
}

/** What was asked of the mapping. */
export interface MappingOptions {
  /** Fields whose column is named by flags; `telephone: ''` leaves the telephone out. */
  map?: Partial<Record<Field | 'fullname', string>>;
  /** Names of groups for everybody. */
  groups: readonly string[];
  /** Columns whose cells name groups, several of them separated by `;`. */
  groupColumns: readonly string[];
  /** Columns that are a group each; see `GroupRule.matrix`. Names with commas between them, or `A:F`. */
  groupMatrix?: readonly string[];
  /** What stands between several groups in a cell of a column, by its name; of others, `;`. */
  splits?: Readonly<Record<string, readonly string[]>>;
  /** Texts that look like no value but are real; in addition to `allow.values` of the rules. */
  allowValues?: readonly string[];
  /** Whether there are flags that could say it instead of the config, for messages. */
  takesFlags?: boolean;
  /** The rules of the config. Columns in `map` take precedence over those; groups given above take the place of its groups. */
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
  /** Where addresses stand, once somebody looked since no column is called so. */
  seen?: AddressesSeen;
  /** What leaves out people who are no longer or not yet there, in addition to the rules. */
  presence?: PresenceRules;
}

/** It is not settled how rows become members: columns have to be named. */
export class UnsettledColumns extends InputError {
  /** No column is known to give the address: it helps to say what the columns hold. */
  readonly lacksEmail: boolean;

  constructor(message: string, lacksEmail: boolean) {
    super(message);
    this.lacksEmail = lacksEmail;
  }
}

/** How messages say where a column is named by flags. */
export const byFlags: Wording = {
  asker: (field) => `--map names for the ${fieldWords[field]}`,
  setting: (field) => `--map ${field}="COLUMN"`,
};
const byConfig: Wording = {
  asker: (field) => `members.${field} names`,
  setting: (field) => `members: { ${field}: ${field === 'fullname' ? '{ column: COLUMN }' : 'COLUMN'} }`,
};

/** What to do about a roster whose e-mail column gives no address, as flags or settings say it. */
export function adviseAddresses(columns: readonly Column[], seen: AddressesSeen, isByFlags: boolean): string {
  const quoted = (text: string): string => quote(text, Infinity);
  return addressAdvice(seen, addressTemplate(columns, seen.domain), {
    column: (name) => (isByFlags ? `--map email=${quoted(name)}` : `members: { email: ${quoted(name)} }`),
    template: (text) =>
      isByFlags ? `--map email=${quoted(text)}` : `members: { email: { template: ${quoted(text)} } }`,
  });
}

/** Whether messages name flags rather than settings. */
export function speaksOfFlags({ map, rules, defaults }: MappingOptions): boolean {
  return (rules ?? defaults) === undefined || map !== undefined;
}

function wordingOf(columns: readonly Column[], options: MappingOptions): Wording {
  const isByFlags = speaksOfFlags(options);
  const wording = isByFlags ? byFlags : byConfig;
  if (!options.seen) return wording;
  const advice = adviseAddresses(columns, options.seen, isByFlags);
  return { ...wording, withoutAddress: `no column gives the e-mail by its name; ${advice}` };
}

/** What to do where nothing gives groups, or several columns can. */
const groupsByFlags = {
  none: 'name one with --group NAME, or columns that hold them with --group-column COLUMN',
  several: 'say which with --group-column COLUMN.',
};
const groupsByConfig = {
  none: 'set groups of the source: [{ always: NAME }], or [{ column: COLUMN }] with a column that holds them',
  several: 'say which with groups: [{ column: COLUMN }] of the source.',
};

/** The rules that flags, config and preset make together. */
export function effectiveRules({
  map = {},
  groups,
  groupColumns,
  groupMatrix = [],
  ...options
}: MappingOptions): MappingRules {
  const rules = mergeRules(options.rules ?? {}, options.defaults ?? {});
  const { telephone, fullname, ...others } = map;
  const given: GroupRule[] = [
    ...groups.map((always) => ({ always })),
    ...groupColumns.map((column) => ruleOfColumn(column, options.splits)),
    ...(groupMatrix.length > 0 ? [{ matrix: groupMatrix }] : []),
  ];
  const members: MemberRules = Object.fromEntries(
    Object.entries(others).map(([field, text]) => [field, fromFlag(text)]),
  );
  if (fullname !== undefined) members.fullname = { column: fullname };
  if (telephone !== undefined) members.telephone = telephone === '' ? false : fromFlag(telephone);
  const { allowValues = [] } = options;
  const allow = { ...rules.allow, values: [...(rules.allow?.values ?? []), ...allowValues] };
  const merged = {
    ...mergeRules({ members, ...(given.length > 0 && { groups: given }) }, rules),
    ...(allowValues.length > 0 && { allow }),
  };
  return options.presence ? withPresence(merged, options.presence) : merged;
}

/** What the rules leave out, and who is not there. A start date of their own stays. */
function withPresence(rules: MappingRules, { except, startDate }: PresenceRules): MappingRules {
  const { members = {} } = rules;
  return {
    ...rules,
    ...(startDate && { members: { ...members, startDate: members.startDate ?? startDate } }),
    ...(except.length > 0 && { except: [...(rules.except ?? []), ...except] }),
  };
}

function ruleOfColumn(column: string, splits: MappingOptions['splits'] = {}): GroupRule {
  const split = Object.hasOwn(splits, column) ? splits[column] : [';'];
  return { column, ...(split && split.length > 0 && { split }) };
}

/** `--map email="{First}.{Last}@example.com"` is a template, anything else the name of a column. */
function fromFlag(text: string): FieldRule {
  return parseTemplate(text).some((part) => 'column' in part) ? { template: text } : text;
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
  const wording = wordingOf(columns, options);
  const noValues = new NoValues(rules.allow?.values, speaksOfFlags(options) ? '--allow-value' : 'allow.values');
  const fields = findFields(rules.members ?? {}, finder, wording, noValues);
  const { tools = {}, today, knownGroups = [] } = options;
  const day = today && dayOf(today, options.timezone);
  const conditionTools: GroupTools = { ...tools, finder, noValues, ...(day !== undefined && { today: day }) };
  const groups = findGroups(rules, options, conditionTools);
  const condition = (rule: Parameters<typeof makeCondition>[0], key: string): Condition =>
    makeCondition(rule, `${key} asks about`, conditionTools);
  const only = (rules.only ?? []).map((rule) => condition(rule, 'only'));
  const except = (rules.except ?? []).map((rule) => condition(rule, 'except'));
  const leavers = (rules.leavers ?? []).map((rule) => condition(rule, 'leavers'));
  const fixed = groups.flatMap((group) => group.fixed);
  const names = new GroupNames(rules, fixed, knownGroups);
  for (const name of fixed.filter((name) => !names.isAllowed(name))) {
    problems.push(`the group ${quote(name)} is given by the settings themselves, but allow.groups does not allow it.`);
  }
  const { firstname, lastname, fullname, email } = fields;
  const isNobody = !firstname && !lastname && !fullname && !email && wholeNameColumns(columns).length === 0;
  if (isNobody && options.seen?.columns.length === 0 && Object.keys(rules.members ?? {}).length === 0) {
    throw new InputError(notPeople(columns, options.file));
  }
  if (problems.length > 0 || !email || !(fullname ?? (firstname && lastname))) {
    const said = [...new Set(problems)].join('\n  ');
    const message = [`${options.file ?? 'The roster'}: ${said}`, ...hintsFor(columns, fields, wording)].join('\n  ');
    throw new UnsettledColumns(message, !email && rules.members?.email === undefined);
  }
  const number = numberReader(rules.members?.telephone, tools);
  const { emails, people } = rules.allow ?? {};
  const needed = [
    ...[firstname, lastname, email].flatMap((source) => source?.columns[0] ?? []),
    ...(fullname ? [fullname.column] : []),
    ...groups.flatMap((group) => [...group.columns, ...(group.asked ?? [])]),
    ...[...only, ...except, ...leavers].flatMap(({ column }) => column ?? []),
    ...(fields.startDate?.columns ?? []),
  ];
  const others = [firstname, lastname, email, fields.telephone, fields.employeeId, fields.startDate];
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
    needed,
    read: [...new Set([...needed, ...others.flatMap((source) => source?.columns ?? [])])],
    noValues,
    remarks: new Remarks(names, noValues, unusedPrefix(columns, fields, options)),
  };
}

/** A column of `van` and `de la` next to that of the last names, which would be sent without them. */
function unusedPrefix(columns: readonly Column[], { lastname }: FoundFields, options: MappingOptions): string[] {
  const [prefix] = columnsMeaning(columns, 'lastnamePrefix');
  const [last] = lastname?.columns ?? [];
  if (!prefix || !last || lastname?.columns.includes(prefix) || lastname?.words.includes('{')) return [];
  const template = quote(`{${prefix.name}} {${last.name}}`, Infinity);
  const whole = speaksOfFlags(options)
    ? `--map lastname=${template}`
    : `members: { lastname: { template: ${template} } }`;
  return [`${quote(prefix.name)} is not used: if last names lack what stands there, take ${whole}`];
}

/** One sentence about a table in which nobody can be found, with what it looks like instead. */
function notPeople(columns: readonly Column[], file = 'The roster'): string {
  const kind = kindOfTable(columns.map(({ name }) => name));
  const looks = kind === undefined ? 'this does not look like a list of people' : `this looks like ${kind}`;
  const names = columns.slice(0, mostShown).map(({ name }) => quote(name));
  const more = columns.length > mostShown ? ` and ${columns.length - mostShown} more` : '';
  return (
    `${file}: ${looks}, since no column is called like a name or an address and none holds addresses: ` +
    `${names.join(', ')}${more}. If it is one, say with --map which column is what.`
  );
}

/** The most columns that a sentence names. */
const mostShown = 8;

function findGroups(rules: MappingRules, options: MappingOptions, tools: GroupTools): CompiledGroups[] {
  const { finder } = tools;
  const { groupMatrix = [] } = options;
  const isByFlags = options.groups.length + options.groupColumns.length + groupMatrix.length > 0;
  if (options.groups.some((name) => cleanCell(name) === '')) {
    finder.problems.push('A group given with --group has no name.');
  }
  if (rules.groups !== undefined && rules.groups.length > 0) {
    return rules.groups.map((rule) => {
      const flag = rule.matrix === undefined ? '--group-column' : '--group-matrix';
      return compileGroupRule(rule, isByFlags ? `${flag} names` : 'groups names', tools);
    });
  }
  const own = groupCandidates(finder.columns);
  const hasConfig = (options.rules ?? options.defaults) !== undefined;
  const { none, several } = hasConfig && !options.takesFlags ? groupsByConfig : groupsByFlags;
  if (own.length === 0) {
    const orConfig = hasConfig && options.takesFlags ? ', or set groups of the source' : '';
    finder.problems.push(`nothing gives groups: ${none}${orConfig}.`);
  }
  if (own.length > 1) finder.problems.push(`groups ${severalOf('can come from', own, several)}`);
  return own.map(({ name }) => compileGroupRule(ruleOfColumn(name, options.splits), 'groups names', tools));
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

function startOrderOf({ members }: MappingRules): Pick<Mapping, 'startOrder'> {
  const { startDate } = members ?? {};
  return typeof startDate === 'object' && startDate.order ? { startOrder: startDate.order } : {};
}
