// Parts of the rules that are proposed, each with why: domains, orders of days, marks, several groups in a cell.
import { readFlag, readLastDay } from '../cells/status-words.ts';
import type { ColumnSurvey } from '../columns/column-survey.ts';
import { groupRank, meaningOf, statusKindOf, withoutNumber } from '../columns/columns.ts';
import type { FoundFields } from '../mapping/find-fields.ts';
import { isOddDomain } from '../mapping/odd-values.ts';
import { listOf } from '../words/words.ts';
import { sureSigns } from '../mapping/mapping-options.ts';

export interface Proposed<Rule> {
  rule: Rule;
  /** For the person who reads it: why, and what to check. */
  note?: string;
  /** A suggestion that is not in force. */
  isOff?: boolean;
}

const freeMail = listOf('free-mail');

export function proposeDomains(found: FoundFields, surveys: readonly ColumnSurvey[]): Proposed<string>[] {
  const survey = surveys.find(({ index }) => index === found.email?.columns[0]?.index);
  if (!survey) return [];
  const domains = [...survey.domains].toSorted((a, b) => b[1] - a[1]).slice(0, 20);
  const doubtOf = (domain: string): string => {
    if (freeMail().has(/^([^.]+)\.[a-z.]+$/.exec(domain)?.[1] ?? '')) return ', but anybody can have such an address';
    return isOddDomain(domain) ? ', but it looks mistyped or internal' : '';
  };
  // Where most addresses are private, the few others say nothing about the employer.
  const own = domains.reduce((sum, [domain, people]) => sum + (doubtOf(domain) === '' ? people : 0), 0);
  return domains.map(([domain, people]) => {
    const doubt = doubtOf(domain);
    const isOff = doubt !== '' || own * 2 < survey.addresses || people * 100 < survey.addresses;
    return { rule: domain, note: `${people}${doubt}`, ...(isOff && { isOff }) };
  });
}

/** A day with the year last, and its first two numbers. */
const yearLast = /^(\d{1,2})[-./](\d{1,2})[-./]\d{2,4}\b/;

/**
 * The order of day and month in a column of days; undefined if no cell leaves a doubt. It is sure if cells of any column show
 * one order and none shows the other.
 */
export function orderOf(
  { values, examples }: ColumnSurvey,
  surveys: readonly ColumnSurvey[],
): { order: 'dmy' | 'mdy'; isSure: boolean } | undefined {
  const texts = values ? [...values.keys()] : examples;
  // Cells beyond those kept could each be different, unless their form is clear.
  const isCertain = texts.every(
    (text) => typeof readLastDay(text) !== 'object' && (values || !/^\d{1,2}[-/]/.test(text)),
  );
  if (isCertain) return undefined;
  const shows = shown.get(surveys) ?? ordersOf(surveys);
  shown.set(surveys, shows);
  return { order: shows.dmy ? 'dmy' : 'mdy', isSure: shows.dmy !== shows.mdy };
}

type Orders = Record<'dmy' | 'mdy', boolean>;
/** The same for each column of days. */
const shown = new WeakMap<readonly ColumnSurvey[], Orders>();

/** The orders that cells of any column show. */
function ordersOf(surveys: readonly ColumnSurvey[]): Orders {
  const numbers = surveys
    .flatMap((survey) => (survey.values ? [...survey.values.keys()] : survey.examples))
    .flatMap((text) => yearLast.exec(text)?.slice(1).map(Number) ?? []);
  return {
    dmy: numbers.some((one, at) => at % 2 === 0 && one > 12),
    mdy: numbers.some((one, at) => at % 2 === 1 && one > 12),
  };
}

/** The number of columns of marks that may still be anything. */
const fewestColumns = 2;

/**
 * `x`, `1`, `ja`, `✓`, and empty columns between or called like them; not columns whose names say something else, nor
 * quantities, which are 1 in every row. Empty where there are too few of them.
 */
export function matrixColumns(surveys: readonly ColumnSurvey[]): ColumnSurvey[] {
  const free = surveys.filter((survey) => {
    const isNumbered = /\d$/.test(survey.name) && groupRank(survey) !== undefined;
    if (survey.name === '' || statusKindOf(survey) !== undefined) return false;
    return isNumbered || meaningOf(surveys, survey) === undefined;
  });
  const marked = free.filter(({ values, filled, rows }) => {
    const flags = [...(values?.keys() ?? ['?'])].map(readFlag);
    const isQuantity = filled === rows && values?.get('1') === rows;
    return flags.includes(true) && !flags.includes(undefined) && !isQuantity;
  });
  if (marked.length < fewestColumns) return [];
  const [first = 0, last = 0] = [marked[0]?.index, marked.at(-1)?.index];
  const stems = new Set(marked.map(({ name }) => withoutNumber(name)).filter((stem, at) => stem !== marked[at]?.name));
  return free.filter((each) => {
    const isBetween = (each.index > first && each.index < last) || stems.has(withoutNumber(each.name));
    return marked.includes(each) || (each.filled === 0 && isBetween);
  });
}

/** Whether cells of a column name one group each or several, and what stands between them. */
export type Several =
  | { kind: 'one' }
  /** `unclear`: only a person can say whether `example` is one group or several. */
  | { kind: 'list' | 'unclear'; separator: string; example: string };

/** Signs that may occur in the name of a group as well. */
export const unsureSigns = ['#', ',', '/'];
/** The number of parts that must be alone in other cells, to be sure that they are groups of their own. */
const mostAlone = 0.8;
/** Up to this number of cells nobody is asked if there are too many different ones to compare. */
const fewCells = 0.02;

/**
 * Whether cells of a column name several groups. `;`, `|` and line breaks always stand between groups; `,`, `/` and `#` do
 * where what they part stands alone in other cells too. Where only some of it does, it is unclear.
 * @param isList the column's name says that it holds lists
 * @param given groups that people were given before, which count as standing alone
 */
export function severalIn(survey: ColumnSurvey, isList = false, given: ReadonlySet<string> = new Set()): Several {
  for (const separator of sureSigns) {
    const example = survey.firstSeparated.get(separator);
    if (example !== undefined) return { kind: 'list', separator, example };
  }
  const judged = unsureSigns.map((separator) => judge(survey, separator, isList, given));
  return judged.find(({ kind }) => kind === 'list') ?? judged.find(({ kind }) => kind === 'unclear') ?? { kind: 'one' };
}

function judge(survey: ColumnSurvey, separator: string, isList: boolean, given: ReadonlySet<string>): Several {
  const example = survey.firstSeparated.get(separator);
  const cells = survey.separated.get(separator) ?? 0;
  if (example === undefined) return { kind: 'one' };
  const isPath = separator === '/' && (cells * 2 > survey.filled || example.startsWith('/'));
  if (isPath) return { kind: 'one' };
  const parts = survey.parts.get(separator);
  if (isList && separator !== '/' && parts !== undefined && parts.size < cells * 2) {
    return { kind: 'list', separator, example };
  }
  const { values } = survey;
  if (!values) return cells < survey.filled * fewCells ? { kind: 'one' } : { kind: 'unclear', separator, example };
  const joint = [...values.keys()]
    .filter((value) => value.includes(separator) && !given.has(value))
    .map((value) => partsOf(value, separator))
    .filter((parts) => parts.length > 1);
  if (joint.length === 0) return { kind: 'one' };
  const all = joint.flat();
  const different = new Set(all);
  const alone = [...different].filter((part) => values.has(part) || given.has(part));
  if (alone.length >= different.size * mostAlone) return { kind: 'list', separator, example };
  const isUnclear =
    separator === '/'
      ? joint.some((each) => alone.includes(each.at(-1) ?? ''))
      : alone.length > 0 || all.length > different.size;
  return isUnclear ? { kind: 'unclear', separator, example } : { kind: 'one' };
}

export function partsOf(value: string, separator: string): string[] {
  return value.split(separator).flatMap((part) => part.trim() || []);
}
