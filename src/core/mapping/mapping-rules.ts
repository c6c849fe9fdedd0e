// The types of the mapping rules of a source.

/** How people write a whole name in one cell. A middle initial (`M`) is left out where the form names it. */
export const nameForms = ['Last, First', 'Last, First M', 'First Last', 'First M Last', 'Last First'] as const;
export type NameForm = (typeof nameForms)[number];

/**
 * Where a field comes from: the name (or path) of a column, or exactly one of
 * - `column`: the same, written out
 * - `columns`: the first of these that is not empty
 * - `template`: a text with columns in it, `{Prefix} {Last}`; an empty part leaves no double space
 */
export type FieldRule =
  | string
  | {
      column?: string;
      columns?: readonly string[];
      template?: string;
      /** Telephone only: two letters of ISO 3166; numbers become E.164, those without a country are this country's. */
      country?: string;
    };

export interface MemberRules {
  firstname?: FieldRule;
  lastname?: FieldRule;
  email?: FieldRule;
  /** `false` leaves the telephone out. */
  telephone?: FieldRule | false;
  /**
   * First and last name in one cell: it is never split unless told. Without a form, a comma stands behind the last name; where
   * there is none, the order is that of the column's name, else the last name comes last.
   */
  fullname?: { column: string; form?: NameForm };
  /** Tells people apart whose names or addresses change; `false` where the column that looks like it is none. */
  employeeId?: FieldRule | false;
  /** The first day of work: before it nothing is sent to whom the service does not know. An empty cell means at once. */
  startDate?: StartDateRule;
}

/** A column of days; `order` says which of `03/04/2026` is the day. */
export type StartDateRule = string | { column: string; order?: 'dmy' | 'mdy' };

/** A test of one column. All tests that are given must hold. Texts are compared without regard to case. */
export interface ConditionRule {
  column: string;
  equals?: string;
  in?: readonly string[];
  startsWith?: string;
  contains?: string;
  /** A pattern in RE2's syntax, which takes linear time; case counts unless it begins with `(?i)`. */
  matches?: string;
  /** Yes or no, in many words (`TRUE`, `1`, `Y`, `ja`); an empty cell is no. Another word rejects the row. */
  is?: boolean;
  empty?: boolean;
  past?: boolean;
  /** How a day is written of which day and month could be swapped. */
  order?: 'dmy' | 'mdy';
}

/** What a hierarchical group name stands for: `A/B/C` is `C`, `A/B/C`, or `A`, `A/B` and `A/B/C`. */
export interface PathRule {
  separator: string;
  take: 'leaf' | 'full' | 'every';
}

/** One source of groups: exactly one of `column`, `matrix`, `template`, `always` and `add`. */
export interface GroupRule {
  /** The column whose cells name groups; with `*` all columns of such a name. */
  column?: string;
  /** Columns that are a group each, of those with a mark in them (`x`, `1`, `ja`); `A:F` by the letters of a spreadsheet. */
  matrix?: string | readonly string[];
  /** What stands between several groups in one cell; several signs may be meant. Without it a cell is one group. */
  split?: string | readonly string[];
  path?: PathRule;
  /** Put in front of each name. */
  prefix?: string;
  /** A text with columns in it, `{Country} – {Department}`; no group where one of them is empty. */
  template?: string;
  always?: string | readonly string[];
  add?: string | readonly string[];
  when?: ConditionRule | readonly ConditionRule[];
}

export interface RenamePattern {
  /** A pattern in RE2's syntax, which takes linear time; case counts unless it begins with `(?i)`. */
  matches: string;
  /** The new name: `$1` is what the first parentheses matched, `$0` the whole name, `$$` a dollar sign. */
  to: string;
}

/** What may be sent at all, whatever the roster says. */
export interface AllowRules {
  groups?: {
    only?: readonly string[];
    except?: readonly string[];
    /** The most groups of one person; one with more is rejected. */
    perPerson?: number;
    /** The most different groups of a roster. */
    total?: number;
  };
  /** Domains of addresses, `*.example.com` for those below one; other addresses are rejected. */
  emails?: { domains?: readonly string[] };
  /** People who opted out: addresses, or employee ids. They are filtered. */
  people?: { except?: readonly string[] };
  values?: readonly string[];
}

/** How rows of a source become members. All parts are optional; plain data, as the config writes it. */
export interface MappingRules {
  members?: MemberRules;
  groups?: readonly GroupRule[];
  /** Rows of which all of these hold; the others are filtered. */
  only?: readonly ConditionRule[];
  /** Rows of which one of these holds are filtered. */
  except?: readonly ConditionRule[];
  /** Rows of which one of these holds are of people who left: nobody is made of them. */
  leavers?: readonly ConditionRule[];
  /** Names of groups, as the roster writes them, and what they are called at the service. */
  rename?: Readonly<Record<string, string>>;
  /** The same by patterns, for names that `rename` does not have; the first that matches counts. */
  renamePatterns?: readonly RenamePattern[];
  allow?: AllowRules;
}

/** Columns by the letters of a spreadsheet, from one to another: `A:F`. */
export const letterRange = /^\s*([A-Z]{1,3})\s*:\s*([A-Z]{1,3})\s*$/i;

/** One or several, as a list. */
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

function columnsOfTemplate(template = ''): string[] {
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
