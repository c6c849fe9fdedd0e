// Finds in which order the days of a column have day and month.
import type { ColumnSurvey } from '../columns/column-survey.ts';
import { readDay } from '../cells/days.ts';

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
  const isCertain = texts.every((text) => typeof readDay(text) !== 'object' && (values || !/^\d{1,2}[-/]/.test(text)));
  if (isCertain) return undefined;
  const numbers = surveys
    .flatMap((survey) => (survey.values ? [...survey.values.keys()] : survey.examples))
    .flatMap((text) => yearLast.exec(text)?.slice(1).map(Number) ?? []);
  const shows = {
    dmy: numbers.some((one, at) => at % 2 === 0 && one > 12),
    mdy: numbers.some((one, at) => at % 2 === 1 && one > 12),
  };
  return { order: shows.dmy ? 'dmy' : 'mdy', isSure: shows.dmy !== shows.mdy };
}
