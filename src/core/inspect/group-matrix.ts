// Recognises columns that stand for one group each, with a mark in the cells.
import type { ColumnSurvey } from '../columns/column-survey.ts';
import { groupRank, meaningOf, statusKindOf, withoutNumber } from '../columns/columns.ts';
import { readFlag } from '../cells/status-words.ts';

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
