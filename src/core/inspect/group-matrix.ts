// Recognises columns that stand for one group each, with a mark in the cells.
import type { ColumnSurvey } from '../columns/column-survey.ts';
import { meaningOf, statusKindOf } from '../columns/columns.ts';
import { readFlag } from '../cells/yes-or-no.ts';

/** The number of columns of marks that may still be anything. */
const fewestColumns = 2;

/** `x`, `1`, `ja`, `✓`; not columns whose names say something else. Empty where there are too few of them. */
export function matrixColumns(surveys: readonly ColumnSurvey[]): ColumnSurvey[] {
  const found = surveys.filter((survey) => {
    const words = survey.values && [...survey.values.keys()];
    if (!words || survey.filled === 0 || survey.name === '') return false;
    const flags = words.map(readFlag);
    const isMarked = flags.includes(true) && !flags.includes(undefined);
    return isMarked && meaningOf(surveys, survey) === undefined && statusKindOf(survey) === undefined;
  });
  return found.length < fewestColumns ? [] : found;
}
