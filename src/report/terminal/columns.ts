// Makes the columns of a table of its rows.
import { escapeText, figure } from '../../core/text/format.ts';
import type { Column } from './layout.ts';

/** Columns of texts, which are escaped, and of numbers: each has a heading, and says what stands there for a row. */
export function columnsOf<Row>(rows: readonly Row[]) {
  return {
    words: (
      heading: string,
      of: (row: Row) => string,
      more: Pick<Column, 'gives' | 'least' | 'figures'> = {},
    ): Column => {
      return { heading, cells: rows.map((row) => escapeText(of(row))), ...more };
    },
    numbers: (heading: string, of: (row: Row) => number): Column => {
      return { heading, cells: rows.map((row) => figure(of(row))), figures: true };
    },
  };
}
