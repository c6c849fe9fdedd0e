// The types of mapping rules, what the rules alone tell, and how messages name what to set.
import type { z } from 'zod';
import type { mappingParts } from './mapping-schema.ts';
import type { Column, Field } from '../columns/columns.ts';
import { quote } from '../text/format.ts';

/** As the schema has it; what lists hold may be what nobody changes. */
type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { [Key in keyof T]: Loose<T[Key]> }
    : T;

/** How rows of a source become members. All parts are optional; plain data, as the config writes it. */
export type MappingRules = Loose<z.output<z.ZodObject<typeof mappingParts>>>;
export type MemberRules = NonNullable<MappingRules['members']>;
export type NameForm = NonNullable<NonNullable<MemberRules['fullname']>['form']>;
/** Where a field comes from: a column, several of which the first that is not empty counts, or a template. */
export type FieldRule = Exclude<MemberRules['telephone'], false | undefined>;
/** The first day of work: before it nothing is sent to whom the service does not know. */
export type StartDateRule = NonNullable<MemberRules['startDate']>;
export type ConditionRule = NonNullable<MappingRules['except']>[number];
export type GroupRule = NonNullable<MappingRules['groups']>[number];
export type PathRule = NonNullable<GroupRule['path']>;

/** Columns by the letters of a spreadsheet, from one to another: `A:F`. */
export const letterRange = /^\s*([A-Z]{1,3})\s*:\s*([A-Z]{1,3})\s*$/i;

export function asList<Item>(given: Item | readonly Item[] | undefined): readonly Item[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? (given as readonly Item[]) : [given as Item];
}

const token = /\{\{|\}\}|\{([^{}]+)\}/g;

/** A template in its parts: texts, and the names of columns. `{{` and `}}` stand for the signs themselves. */
export function parseTemplate(template: string): ({ text: string } | { column: string })[] {
  const parts: ({ text: string } | { column: string })[] = [];
  let text = '';
  let from = 0;
  for (const found of template.matchAll(token)) {
    text += template.slice(from, found.index);
    from = found.index + found[0].length;
    if (found[1] === undefined) {
      text += found[0].slice(1);
      continue;
    }
    if (text !== '') parts.push({ text });
    text = '';
    parts.push({ column: found[1].trim() });
  }
  text += template.slice(from);
  return text === '' ? parts : [...parts, { text }];
}

/** What a reader of nested records must look for. Names with `*`, which mean any column, are left out. */
export function columnsAsked({
  members = {},
  groups = [],
  only = [],
  except = [],
  leavers = [],
}: MappingRules): string[] {
  const { fullname, ...fields } = members;
  const asked = [
    ...Object.values(fields).flatMap((rule) => (rule === false ? [] : columnsOfField(rule))),
    ...(fullname ? [fullname.column] : []),
    ...groups.flatMap((rule) => [
      ...asList(rule.column),
      ...asList(rule.matrix),
      ...columnsOfTemplate(rule.template),
      ...asList(rule.when).map(({ column }) => column),
    ]),
    ...[...only, ...except, ...leavers].map(({ column }) => column),
  ];
  return [...new Set(asked)].filter((column) => !column.includes('*') && !letterRange.test(column));
}

function columnsOfField(rule: FieldRule): string[] {
  if (typeof rule === 'string') return [rule];
  return [...asList(rule.column), ...asList(rule.columns), ...columnsOfTemplate(rule.template)];
}

export function columnsOfTemplate(template = ''): string[] {
  return parseTemplate(template).flatMap((part) => ('column' in part ? [part.column] : []));
}

/** A start date is not meant: a plan with people who wait for theirs (`later`) is made again each time. */
export function dependsOnDay({ groups = [], only = [], except = [], leavers = [] }: MappingRules): boolean {
  const conditions = [...only, ...except, ...leavers, ...groups.flatMap(({ when }) => asList(when))];
  return conditions.some(({ past }) => past !== undefined);
}

interface DatedJoin {
  people: readonly { columns: Readonly<Record<string, readonly { steps: readonly { current?: object }[] }[]>> }[];
}

export function joinDependsOnDay(join: DatedJoin | undefined): boolean {
  const ways = join?.people.flatMap(({ columns }) => Object.values(columns).flat()) ?? [];
  return ways.some(({ steps }) => steps.some(({ current }) => current !== undefined));
}

/** What leaves out the people that signs are about; people who begin later wait instead. */
export interface PresenceRules {
  except: ConditionRule[];
  startDate?: StartDateRule;
  /** What is not sure of them, each as one sentence without its full stop. They have words of the roster. */
  doubts?: string[];
}

export type Wording = Readonly<typeof bySettings> & {
  /** Columns that hold whole names, whatever they are called. */
  names?: readonly Column[];
  /** What to say instead where no column gives an address, and it is known what its columns hold. */
  withoutAddress?: string;
};

export const bySettings = {
  asker: (field: Field | 'fullname'): string => `members.${field} names`,
  setting(field: Field | 'fullname', text?: string): string {
    const given = text ?? 'COLUMN';
    return `members: { ${field}: ${field === 'fullname' ? `{ column: ${given} }` : given} }`;
  },
  template: (field: Field, text: string): string => `members: { ${field}: { template: ${text} } }`,
  /** What keeps a text that looks like no value. */
  keeper: (_text?: string): string => 'allow.values',
  /** What gives a group that looks like a code a name. */
  naming: (code: string): string => `rename: { "${code}": NAME } gives one a name`,
  /** What puts a group into another. */
  merging: (from: string, to: string): string => `use rename: { ${quote(from)}: ${quote(to)} }`,
  groupsBy: (_kind: 'column' | 'matrix'): string => 'groups names',
  /** What to do where nothing gives groups, or several columns can. */
  noGroups:
    'set groups of the source: [{ always: NAME }], [{ column: COLUMN }] with a column that holds them, or ' +
    '[{ matrix: COLUMNS }] with columns that are a group each',
  severalGroups: 'say which with groups: [{ column: COLUMN }] of the source.',
  records: (at: string): string => `read: { records: ${at} }`,
  members: 'members of the source',
  headerLine: 'read: { headerLine: NUMBER }',
};
