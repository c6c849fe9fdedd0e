// Finds the source of each field of a member: by rule, else by heading.
import { type ColumnFinder, severalOf } from './column-finder.ts';
import {
  columnsMeaning,
  columnsOffered,
  employeeIdColumns,
  lonelyNameColumns,
  privateEmailColumns,
  wholeNameColumns,
  type Column,
  type Field,
} from '../columns/columns.ts';
import { addressIn } from '../cells/read-cell.ts';
import { compileField, compileFullName, fieldOfColumn, fieldWords, type FieldSource, type FullName } from './fields.ts';
import type { FieldRule, MemberRules, Wording } from './mapping-rules.ts';
import { NoValues } from './mapping-remarks.ts';
import { listed, quote, shownText } from '../text/format.ts';

export interface FoundFields extends Partial<Record<Exclude<keyof MemberRules, 'fullname'>, FieldSource>> {
  fullname?: FullName;
}

const mostColumns = 40;
/** The most columns of private addresses that a message lists. */
const mostPrivate = 3;

/** Finds each field by the rules, else by the header's own names. What is missing or ambiguous goes to the problems. */
export function findFields(
  rules: MemberRules,
  finder: ColumnFinder,
  wording: Wording,
  noValues = new NoValues(),
): FoundFields {
  const found: FoundFields = {};
  const fullname = rules.fullname && compileFullName(rules.fullname, finder, wording.asker('fullname'));
  if (fullname) found.fullname = fullname;
  const whole = unsplitNames(rules, finder.columns);
  if (whole) finder.problems.push(adviseSplit(whole, wording));
  for (const field of ['firstname', 'lastname', 'email', 'telephone'] as const) {
    const isName = field === 'firstname' || field === 'lastname';
    if (isName && (whole ?? rules.fullname) && rules[field] === undefined) continue;
    const isNone = (cell: string): boolean => noValues.has(cell, isName ? 'name' : 'other');
    const source = findField(field, rules[field], finder, wording, isNone);
    if (source) found[field] = source;
    if (source && field === 'email') found.email = { ...source, read: (cells) => addressIn(source.read(cells)) };
  }
  const employeeId = findEmployeeId(rules.employeeId, finder);
  if (employeeId) found.employeeId = employeeId;
  const startDate = rules.startDate && compileField(rules.startDate, finder, 'members.startDate names');
  if (startDate) found.startDate = startDate;
  return found;
}

function unsplitNames({ firstname, lastname, fullname }: MemberRules, columns: readonly Column[]): Column | undefined {
  if (fullname ?? firstname ?? lastname) return undefined;
  const names = [...columnsMeaning(columns, 'firstname'), ...columnsMeaning(columns, 'lastname')];
  return names.length > 0 ? undefined : (wholeNameColumns(columns)[0] ?? lonelyNameColumns(columns)[0]);
}

function adviseSplit({ name, index }: Column, wording: Wording): string {
  if (name === '') return `Column ${index + 1} has no heading and seems to hold whole names: write Name above it.`;
  const setting = wording.setting('fullname').replace('COLUMN', () => shownText(name));
  return `${quote(name)} is not split automatically: if it holds first and last name, use ${setting}.`;
}

function findField(
  field: Field,
  rule: FieldRule | false | undefined,
  finder: ColumnFinder,
  wording: Wording,
  isNone: (cell: string) => boolean,
): FieldSource | undefined {
  if (rule === false) return undefined;
  const isBare = typeof rule === 'object' && !rule.column && !rule.columns && rule.template === undefined;
  if (rule !== undefined && !isBare) {
    return compileField(rule, finder, wording.asker(field), { isStrict: field === 'email', isNone });
  }
  const [column, ...others] = finder.telling(columnsMeaning(finder.columns, field));
  if (column && others.length === 0) return fieldOfColumn(column, 'by its name');
  if (column) {
    const say = `say which with ${wording.setting(field)}.`;
    finder.problems.push(`${fieldWords[field]} ${severalOf('can come from', [column, ...others], say)}`);
  } else if (field !== 'telephone') {
    const [offered] = columnsOffered(finder.columns, field);
    const perhaps = offered ? ` ${quote(offered.name)} may be it, or something else.` : '';
    if (field === 'email' && wording.withoutAddress !== undefined) {
      finder.problems.push(wording.withoutAddress);
      return undefined;
    }
    finder.problems.push(`no column gives the ${fieldWords[field]}: name it with ${wording.setting(field)}.${perhaps}`);
  }
  return undefined;
}

function findEmployeeId(rule: FieldRule | false | undefined, finder: ColumnFinder): FieldSource | undefined {
  if (rule === false) return undefined;
  if (rule !== undefined) return compileField(rule, finder, 'members.employeeId names');
  const [column] = finder.telling(employeeIdColumns(finder.columns));
  return column && fieldOfColumn(column, 'by its name');
}

/** What helps a person to fix a mapping: the columns there are, and what was not used automatically. */
export function hintsFor(columns: readonly Column[], found: FoundFields, wording: Wording): string[] {
  const names = columns.map(({ name }) => quote(name));
  const hints = [`Columns found: ${listed(names, mostColumns)}.`];
  const [whole] = wholeNameColumns(columns);
  if (whole && !found.fullname && (found.firstname ?? found.lastname) && !(found.firstname && found.lastname)) {
    hints.push(adviseSplit(whole, wording));
  }
  if (!unsplitNames({}, columns) && !found.fullname && !(found.firstname && found.lastname)) {
    for (const column of wording.names ?? []) hints.push(adviseSplit(column, wording));
  }
  const others = found.email ? [] : privateEmailColumns(columns);
  for (const { name } of others.slice(0, mostPrivate)) {
    hints.push(`${quote(name)} is not used automatically: it may not be the work address.`);
  }
  return hints;
}
