// What each column of a header is used for by rules, and rules from what a person chose for each column.
import {
  asList,
  columnsOfTemplate,
  type ConditionRule,
  type GroupRule,
  type MappingRules,
  type MemberRules,
} from './mapping-rules.ts';
import { wildcard } from '../text/wildcard.ts';

const fieldUses = ['firstname', 'lastname', 'email', 'telephone', 'employeeId'] as const;
type FieldUse = (typeof fieldUses)[number];

/**
 * What a column is used for, as a form writes it: a field, `fullname` or `fullname:Last First`, `startDate` or
 * `startDate:dmy`, `group` or `group:;` with what stands between several, `mark` for a group of its own, `rule:2` for a rule
 * of groups that says more, `part` of a template, `filter`, or nothing.
 */
export type ColumnUse = string;

export function useOf(name: string, rules: MappingRules, filters: readonly ConditionRule[]): ColumnUse {
  const { members = {}, groups = [] } = rules;
  for (const field of fieldUses) {
    const rule = members[field];
    if (rule === name || (typeof rule === 'object' && rule.column === name && Object.keys(rule).length === 1))
      return field;
  }
  const { fullname, startDate } = members;
  if (fullname?.column === name) return fullname.form === undefined ? 'fullname' : `fullname:${fullname.form}`;
  if (startDate === name) return 'startDate';
  if (typeof startDate === 'object' && startDate.column === name) {
    return startDate.order === undefined ? 'startDate' : `startDate:${startDate.order}`;
  }
  const at = groups.findIndex((rule) => namesColumn(rule, name));
  const rule = groups[at];
  if (rule) return useOfGroup(rule, at, name);
  if (fieldUses.some((field) => mentions(members[field], name))) return 'part';
  if (groups.some(({ template }) => columnsOfTemplate(template).includes(name))) return 'part';
  return filters.some(({ column }) => column === name) ? 'filter' : '';
}

function useOfGroup(rule: GroupRule, at: number, name: string): ColumnUse {
  const { column, split, matrix, ...others } = rule;
  if (Object.keys(others).length > 0) return `rule:${at}`;
  if (matrix !== undefined) return Array.isArray(matrix) ? 'mark' : `rule:${at}`;
  const [sign, ...further] = asList(split);
  if (column !== name || further.length > 0) return `rule:${at}`;
  return sign === undefined ? 'group' : useOfSplit(sign);
}

function namesColumn({ column, matrix }: GroupRule, name: string): boolean {
  return (column !== undefined && (column === name || wildcard(column)(name))) || asList(matrix).includes(name);
}

function mentions(rule: MemberRules[FieldUse], name: string): boolean {
  if (typeof rule !== 'object') return false;
  return rule.column === name || (rule.columns ?? []).includes(name) || columnsOfTemplate(rule.template).includes(name);
}

/** The use of a column of groups with this between several of them; a line break has a word, since forms would change it. */
export function useOfSplit(sign: string): ColumnUse {
  return `group:${sign === '\n' ? 'newline' : sign}`;
}

export function splitOf(use: ColumnUse): string {
  const sign = use.slice('group:'.length);
  return sign === 'newline' ? '\n' : sign;
}

export interface ChosenUses {
  uses: readonly { name: string; use: ColumnUse }[];
  /** The group for everybody; several with `;` between them, empty for none. */
  always: string;
  /** False where nobody waits for their first day. */
  waits: boolean;
  /** The rules are those of a kept source: what they leave to be recognised stays so. */
  isKept?: boolean;
}

/**
 * The rules that a person chose, column by column. What a form cannot say stays as it was: templates of which a column is
 * still a part, rules of groups without a column.
 * @returns the columns that were chosen for one and the same field, too: then nobody can tell which is meant
 */
export function rulesFromUses(
  { uses, always, waits, isKept = false }: ChosenUses,
  before: MappingRules,
): { rules: Pick<MappingRules, 'members' | 'groups'>; twice: { field: string; columns: string[] }[] } {
  const columnsOf = (field: string): string[] =>
    uses.filter(({ use }) => use.split(':', 1)[0] === field).map(({ name }) => name);
  const kept = before.members ?? {};
  const members: MemberRules = {};
  const twice: { field: string; columns: string[] }[] = [];
  for (const field of [...fieldUses, 'fullname', 'startDate'] as const) {
    const columns = columnsOf(field);
    const [column] = columns;
    if (columns.length > 1) twice.push({ field, columns });
    if (column === undefined) {
      if (field === 'fullname' || field === 'startDate') continue;
      const rule = kept[field];
      const isPart = uses.some(({ name, use }) => use === 'part' && mentions(rule, name));
      if (isPart && rule !== undefined) Object.assign(members, { [field]: rule });
      else if ((field === 'telephone' || field === 'employeeId') && !(isKept && rule === undefined))
        members[field] = false;
    } else if (field === 'fullname' || field === 'startDate') {
      const said = uses.find(({ name }) => name === column)?.use.slice(field.length + 1) ?? '';
      if (field === 'fullname') members.fullname = { column, ...(said !== '' && { form: said as 'First Last' }) };
      else if (waits) members.startDate = said === 'dmy' || said === 'mdy' ? { column, order: said } : column;
    } else members[field] = column;
  }
  return { rules: { members, groups: groupsFromUses({ uses, always }, before.groups ?? []) }, twice };
}

/** The group for everybody, as `always` of a form. */
export const alwaysOf = ({ groups = [] }: MappingRules): string =>
  groups.flatMap(({ always, when }) => (when === undefined ? asList(always) : [])).join('; ');

/** Whether a form that nobody touches leaves rules as they are: those that say more than its fields are not for it. */
export function fitsForm(header: readonly string[], rules: MappingRules, filters: readonly ConditionRule[]): boolean {
  const uses = header.map((name) => ({ name, use: useOf(name, rules, filters) }));
  const { rules: said, twice } = rulesFromUses({ uses, always: alwaysOf(rules), waits: true, isKept: true }, rules);
  return twice.length === 0 && comparable(said) === comparable(rules);
}

/** The people and groups of rules, as a text that is the same for the same rules: one column alone is the column, one text a list. */
function comparable({ members = {}, groups = [] }: MappingRules): string {
  const sorted = (value: object): string =>
    JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const fields = Object.entries(members).map(([field, rule]): [string, unknown] => {
    const isColumn = typeof rule === 'object' && Object.keys(rule).length === 1 && rule.column !== undefined;
    return [field, typeof rule === 'object' ? (isColumn ? rule.column : sorted(rule)) : rule];
  });
  const rules = groups.map(({ split, matrix, always, ...others }) =>
    sorted({ ...others, split: asList(split), matrix: asList(matrix).toSorted(), always: asList(always) }),
  );
  return sorted(Object.fromEntries<unknown>(fields)) + rules.toSorted().join();
}

function groupsFromUses(
  { uses, always }: Pick<ChosenUses, 'uses' | 'always'>,
  before: readonly GroupRule[],
): GroupRule[] {
  const groups: GroupRule[] = [];
  for (const { name, use } of uses) {
    if (use === 'group') groups.push({ column: name });
    else if (use.startsWith('group:')) groups.push({ column: name, split: splitOf(use) });
    else if (use.startsWith('rule:')) {
      const rule = before[Number(use.slice('rule:'.length))];
      if (rule && !groups.includes(rule)) groups.push(rule);
    }
  }
  const marked = uses.filter(({ use }) => use === 'mark').map(({ name }) => name);
  if (marked.length > 0) groups.push({ matrix: marked });
  const isWithoutColumn = ({ template, add, always, when }: GroupRule): boolean =>
    template !== undefined || add !== undefined || (always !== undefined && when !== undefined);
  groups.push(...before.filter(isWithoutColumn));
  const everybodys = always.split(';').flatMap((name) => name.trim() || []);
  if (everybodys.length > 0) groups.push({ always: everybodys });
  return groups;
}
