// Compiles the rules that give the groups of a row.
import { cleanCell, groupFault, listIn, longestGroup } from '../cells/read-cell.ts';
import type { Column } from '../columns/columns.ts';
import { quote } from '../text/format.ts';
import { say } from '../words/say.ts';
import type { ColumnFinder } from './column-finder.ts';
import { allOf, makeCondition, type ConditionTools, type Test, type Unjudged } from './filter.ts';
import { readFlag } from '../cells/status-words.ts';
import { asList, type GroupRule, type PathRule } from './mapping-rules.ts';
import type { NoValues } from './mapping-remarks.ts';
import { compileTemplate } from './fields.ts';

export type GroupSource = (cells: readonly string[], names: string[]) => Unjudged | undefined;

/** A rule that is ready to be asked. */
export interface CompiledGroups {
  add: GroupSource;
  columns: Column[];
  /** The columns that its condition asks about. */
  asked?: Column[];
  /** Names that it writes itself. */
  fixed: string[];
  isForAll: boolean;
  /** What was noticed of the cells that were read, as a sentence without its full stop. */
  remark?(): string | undefined;
}

export interface GroupTools extends ConditionTools {
  noValues: NoValues;
}

/** Makes a source of groups; what is wrong with the rule goes to the finder's problems. */
export function compileGroupRule(rule: GroupRule, asker: string, tools: GroupTools): CompiledGroups {
  const conditions = asList(rule.when).map((when) => makeCondition(when, 'a condition of a group names', tools));
  const made = withoutCondition(rule, asker, tools);
  if (conditions.length === 0) return made;
  const asked = conditions.flatMap(({ column }) => column ?? []);
  return { ...made, add: onlyWhere(allOf(conditions), made.add), asked, isForAll: false };
}

function onlyWhere(holds: Test, add: GroupSource): GroupSource {
  return (cells, names) => {
    const result = holds(cells);
    if (result === false) return undefined;
    return result === true ? add(cells, names) : result;
  };
}

/** As many cells, and as long ones, are kept with the names in them: for speed only. */
const mostKept = 10_000;
const longestKept = 200;

function withoutCondition(rule: GroupRule, asker: string, { finder, noValues }: GroupTools): CompiledGroups {
  const fixed = [...asList(rule.always), ...asList(rule.add)].map(cleanCell);
  if (fixed.length > 0) {
    const add: GroupSource = (_, names) => void names.push(...fixed);
    return { add, columns: [], fixed, isForAll: true };
  }
  if (rule.matrix !== undefined) return compileMatrix(asList(rule.matrix), asker, finder);
  const faultOf = (text: string): string | undefined => {
    const fault = groupFault(text);
    return fault === undefined || noValues.isMeant(text)
      ? undefined
      : say(`group-${fault}`, 1, { group: quote(text), keep: noValues.sayKeeping(text) });
  };
  if (rule.template !== undefined) {
    const isNone = (cell: string): boolean => noValues.isNoGroup(cell);
    const { read, columns } = compileTemplate(rule.template, finder, 'a template of groups names', isNone);
    const add: GroupSource = (cells, names) => {
      const name = read(cells) ?? '';
      for (const column of columns) {
        const reason =
          faultOf(cleanCell(cells[column.index] ?? '')) ?? (name.length > longestGroup ? faultOf(name) : undefined);
        if (reason !== undefined) return { column, reason, kind: 'group' };
      }
      if (name !== '') names.push(name);
      return undefined;
    };
    return { add, columns, fixed: [], isForAll: false };
  }
  const columns = finder.all(rule.column ?? '', asker);
  const split = compileSplit(asList(rule.split));
  const levels = rule.path ? levelsOf(rule.path) : undefined;
  const { prefix = '' } = rule;
  /** Adds the names in a cell; false where a part of it stands for no value, which is counted for each row; or why one is none. */
  const read = (cell: string, names: string[]): boolean | string => {
    let isWhole = true;
    for (const part of listIn(cell.trim()) ?? split(cell)) {
      const name = cleanCell(part);
      const fault = faultOf(name);
      if (fault !== undefined) return fault;
      const parts = levels ? levels(name) : [name];
      if (name === '' || parts.length === 0) continue;
      if (noValues.isNoGroup(name)) isWhole = false;
      else for (const level of parts) names.push(prefix === '' ? level : cleanCell(prefix + level));
    }
    return isWhole;
  };
  const kept = new Map<string, readonly string[]>();
  let empty = 0;
  let isRepeated = false;
  const add: GroupSource = (cells, names) => {
    for (const column of columns) {
      const cell = cells[column.index] ?? '';
      if (cell === '') {
        if (kept.size > 0) empty += 1;
        continue;
      }
      const known = kept.get(cell);
      if (known) {
        isRepeated = true;
        for (const name of known) names.push(name);
        continue;
      }
      const before = names.length;
      const found = read(cell, names);
      if (typeof found === 'string') return { column, reason: found, kind: 'group' };
      if (!found || cell.length > longestKept) continue;
      if (kept.size >= mostKept) kept.clear();
      kept.set(cell, names.slice(before));
    }
    return undefined;
  };
  /** A sheet made by hand names a group once, above its people. */
  const remark = (): string | undefined => {
    const [column] = columns;
    if (!column || columns.length > 1 || isRepeated || empty < Math.max(2, kept.size)) return undefined;
    return say('blocks', empty, { column: quote(column.name) });
  };
  return { add, columns, fixed: [], isForAll: false, remark };
}

/** A group for each column, of those whose cell says yes; a cell that says neither yes nor no rejects the row. */
function compileMatrix(names: readonly string[], asker: string, finder: ColumnFinder): CompiledGroups {
  const columns = [...new Set(names.flatMap((name) => finder.range(name, asker)))];
  const groups = columns.map((column) => ({ column, group: cleanCell(column.name) }));
  for (const { column } of groups.filter(({ group }) => group === '')) {
    finder.problems.push(`column ${column.index + 1}, which ${asker}, has no name that could be one of a group.`);
  }
  const add: GroupSource = (cells, into) => {
    for (const { column, group } of groups) {
      const cell = cleanCell(cells[column.index] ?? '');
      const flag = readFlag(cell);
      if (flag === undefined) return { column, reason: say('notYesOrNo', 1, { cell: quote(cell) }), kind: 'yes-or-no' };
      if (flag) into.push(group);
    }
    return undefined;
  };
  return { add, columns, fixed: [], isForAll: false };
}

/** Splits a cell at any of the separators; with none of them it is one part. */
function compileSplit(separators: readonly string[]): (cell: string) => readonly string[] {
  const [first, ...others] = separators;
  if (first === undefined) return (cell) => [cell];
  if (others.length === 0) return (cell) => (cell.includes(first) ? cell.split(first) : [cell]);
  return (cell) => others.reduce((parts, next) => parts.flatMap((part) => part.split(next)), cell.split(first));
}

/** No organisation is deeper; a cell of a megabyte would make groups of many gigabytes. */
const mostLevels = 100;

/** Levels of a path, without empty ones: `/A/B/` has `A` and `B`. */
function levelsOf({ separator, take }: PathRule): (path: string) => string[] {
  const between = separator.trim() === '' ? separator : separator.trim();
  const joint = separator.trim() === separator ? separator : ` ${between} `;
  return (path) => {
    const parts = path.split(between).flatMap((part) => part.trim() || []);
    if (take === 'leaf') return parts.slice(-1);
    if (take === 'full') return parts.length > 0 ? [parts.join(joint)] : [];
    return parts.slice(0, mostLevels).map((_, at) => parts.slice(0, at + 1).join(joint));
  };
}
