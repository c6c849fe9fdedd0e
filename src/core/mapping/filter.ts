// Compiles and evaluates the conditions that filter rows.
import { isDamaged } from '../cells/placeholders.ts';
import { cleanCell } from '../cells/read-cell.ts';
import { readFlag, readLastDay } from '../cells/status-words.ts';
import type { ColumnFinder } from './column-finder.ts';
import type { Column } from '../columns/columns.ts';
import { type Day, daysBetween, readDay } from '../cells/days.ts';
import type { ConditionRule } from './mapping-rules.ts';
import type { DayOrders } from './day-orders.ts';
import { patternTest, wrongPattern } from './patterns.ts';
import type { RejectKind } from '../rows/row.ts';
import { defined } from '../defined.ts';
import { foldText } from '../text/wildcard.ts';
import { quote } from '../text/format.ts';
import { say } from '../words/say.ts';

/** A condition could not be judged: the row is at fault. */
export interface Unjudged {
  column: Column;
  reason: string;
  kind: RejectKind;
}

/** Whether a condition holds for the cells of a row. */
export type Test = (cells: readonly string[]) => boolean | Unjudged;

export interface CompiledCondition {
  holds: Test;
  /** `Status is Active or On leave` */
  words: string;
  /** What is so where it does not hold: `Status is not Active or On leave` */
  otherwise: string;
  column?: Column;
  /** The cells that it names, in the form of `foldText`, where it does nothing else. */
  named?: ReadonlySet<string>;
  /** It compares texts: of cells for which it does not hold, it says nothing. */
  isOfTexts: boolean;
  /** Where it asks for a last day that is past, and there are first days. */
  employment?: Employment;
}

/** What a row says about when somebody is employed. */
export interface Employment {
  /** The last day, where that is past. */
  endedOn(cells: readonly string[]): Day | undefined;
  /** The first days that have come; those after a last day, where that is given. */
  begunOn(cells: readonly string[], left?: Day): Day[];
  /** Why nobody can tell whether one comes after a last day: its day and month could be swapped. */
  unclear(cells: readonly string[], left: Day): string | undefined;
}

export interface ConditionTools {
  finder: ColumnFinder;
  /** Undefined where nobody knows what day it is: then `past` is a problem. */
  today?: Day;
  /** The one in which that is the day. */
  timezone?: string;
  /** Of conditions that say who has left: the columns of first days, after which a last day of before counts no more. */
  firstDays?: readonly FirstDays[];
  days?: DayOrders;
}

/** A column of first days; written as the last days are unless an order of its own is set. */
export type FirstDays = Pick<Column, 'index'> & { order?: ConditionRule['order'] };

type CellTest = (cell: string, cells: readonly string[]) => boolean | Omit<Unjudged, 'column'>;

export function makeCondition(rule: ConditionRule, asker: string, tools: ConditionTools): CompiledCondition {
  const column = tools.finder.one(rule.column, asker);
  const tests = cellTests(rule, tools, column);
  const words = `${rule.column} ${tests.map((test) => test.words).join(' and ')}`;
  const otherwise = `${rule.column} ${tests.map((test) => test.otherwise).join(' or ')}`;
  const isOf = (...keys: (keyof ConditionRule)[]) =>
    Object.keys(rule).every((key) => ['column', ...keys].includes(key));
  const isOfTexts = isOf('equals', 'in', 'startsWith', 'contains', 'matches');
  if (!column) return { holds: () => false, words, otherwise, isOfTexts };
  const { index } = column;
  return {
    isOfTexts,
    ...(isOf('equals', 'in') && { named: new Set(namedBy(rule).map(foldText)) }),
    ...defined({ employment: rule.past ? employmentOf(rule, tools, column) : undefined }),
    words,
    otherwise,
    column,
    holds: (cells) => {
      const cell = cleanCell(cells[index] ?? '');
      if (rule.past !== undefined) tools.days?.note(column.name, cell, rule.order);
      if (isDamaged(cell)) return { column, reason: say('damagedCell', 1, { cell: quote(cell) }), kind: 'damaged' };
      for (const { test } of tests) {
        const result = test(cell, cells);
        if (result === false) return false;
        if (result !== true) return { column, ...result };
      }
      return true;
    },
  };
}

const namedBy = (rule: ConditionRule): string[] => [
  ...(rule.equals === undefined ? [] : [rule.equals]),
  ...(rule.in ?? []),
];

function cellTests(
  rule: ConditionRule,
  tools: ConditionTools,
  column: Column | undefined,
): { test: CellTest; words: string; otherwise: string }[] {
  const tests: { test: CellTest; words: string; otherwise: string }[] = [];
  const add = (words: string, otherwise: string, test: CellTest): void => void tests.push({ words, otherwise, test });
  const { startsWith, contains, matches, is, empty, past } = rule;
  const wanted = namedBy(rule);
  if (wanted.length > 0) {
    const folded = new Set(wanted.map(foldText));
    const listed = wanted.map((one) => (one === '' ? 'empty' : one)).join(' or ');
    add(`is ${listed}`, `is not ${listed}`, (cell) => folded.has(foldText(cell)));
  }
  if (startsWith !== undefined) {
    const start = foldText(startsWith);
    add(`starts with ${startsWith}`, `does not start with ${startsWith}`, (cell) => foldText(cell).startsWith(start));
  }
  if (contains !== undefined) {
    const part = foldText(contains);
    add(`contains ${contains}`, `does not contain ${contains}`, (cell) => foldText(cell).includes(part));
  }
  if (matches !== undefined) add(`matches ${matches}`, `does not match ${matches}`, testOf(matches, tools));
  if (is !== undefined) {
    add(`is ${is ? 'yes' : 'no'}`, `is ${is ? 'no' : 'yes'}`, (cell) => {
      const flag = readFlag(cell);
      if (flag === undefined) return { reason: say('notYesOrNo', 1, { cell: quote(cell) }), kind: 'yes-or-no' };
      return flag === is;
    });
  }
  if (empty !== undefined) {
    const words = ['is empty', 'is not empty'] as const;
    add(words[empty ? 0 : 1], words[empty ? 1 : 0], (cell) => (cell === '') === empty);
  }
  if (past !== undefined) {
    const words = ['is in the past', 'is not in the past'] as const;
    add(words[past ? 0 : 1], words[past ? 1 : 0], pastTest(rule, tools, column));
  }
  return tests;
}

function testOf(pattern: string, { finder }: ConditionTools): CellTest {
  const wrong = wrongPattern(pattern);
  if (wrong === undefined) {
    const test = patternTest(pattern);
    return (cell) => test(cell) ?? { reason: say('longForPattern', 1), kind: 'damaged' };
  }
  finder.problems.push(`${wrong}.`);
  return () => false;
}

/** The time after a last day, days, in which the next first day is that of the record of leaving itself. */
const ownRecord = 1;

/** Whether a day is past, unless somebody is back after it. */
function pastTest(rule: ConditionRule, tools: ConditionTools, column: Column | undefined): CellTest {
  const { today, timezone } = tools;
  if (today === undefined) throw new Error('A condition asks what is past, but the mapping was not told the day.');
  const employment = column && employmentOf(rule, tools, column);
  return (cell, cells) => {
    const day = readLastDay(cell, rule.order, timezone);
    if (typeof day === 'object') return { reason: day.reason, kind: 'day' };
    const isPast = day !== undefined && day < today;
    const unclear = isPast ? employment?.unclear(cells, day) : undefined;
    if (unclear !== undefined) return { reason: unclear, kind: 'day' };
    return (isPast && !employment?.begunOn(cells, day).length) === rule.past;
  };
}

/**
 * The employment of a row by its last day and its first days. A last day that a first day follows, which has come, is not past: who is
 * employed again keeps the one of before.
 */
function employmentOf(
  rule: ConditionRule,
  { today = -Infinity, timezone, firstDays = [] }: ConditionTools,
  column: Column,
): Employment | undefined {
  if (firstDays.length === 0 || firstDays.some(({ index }) => index === column.index)) return undefined;
  const hasBegun = (start: ReturnType<typeof readDay>, left?: Day): start is Day =>
    typeof start === 'number' && start <= today && (left === undefined || daysBetween(left, start) > ownRecord);
  /** The day of a cell; both that it can be, where nobody knows how it is written. */
  const readings = (cells: readonly string[], { index, order = rule.order }: FirstDays) => {
    const cell = cleanCell(cells[index] ?? '');
    const day = readDay(cell, order, timezone);
    if (typeof day !== 'object' || order !== undefined) return [day];
    return [readDay(cell, 'dmy', timezone), readDay(cell, 'mdy', timezone)];
  };
  return {
    endedOn: (cells) => {
      const day = readLastDay(cleanCell(cells[column.index] ?? ''), rule.order, timezone);
      return typeof day === 'number' && day < today ? day : undefined;
    },
    begunOn: (cells, left) =>
      firstDays.flatMap((first) => readings(cells, first).filter((start) => hasBegun(start, left))),
    unclear: (cells, left) => {
      const unclear = firstDays.find(
        (first) => new Set(readings(cells, first).map((start) => hasBegun(start, left))).size > 1,
      );
      return unclear && say('twoDays', 1, { text: quote(cleanCell(cells[unclear.index] ?? '')) });
    },
  };
}

/** Joins conditions to one test that holds where all do. */
export function allOf(conditions: readonly CompiledCondition[]): Test {
  return (cells) => {
    for (const { holds } of conditions) {
      const result = holds(cells);
      if (result !== true) return result;
    }
    return true;
  };
}
