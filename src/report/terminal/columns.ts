// Makes a table of its rows.
import { escapeText, figure } from '../../core/text/format.ts';
import { type Column, table } from './layout.ts';

type More = Pick<Column, 'gives' | 'least' | 'figures'>;

/** Makes columns of texts, which are escaped, and of numbers: each has a heading, and says what stands there for a row. */
interface Columns<Row> {
  words(heading: string, of: (row: Row) => string, more?: More): Column;
  numbers(heading: string, of: (row: Row) => number): Column;
}

/** The lines of a table, its heading first, in so many columns of the terminal. */
export function tableOf<Row>(
  rows: readonly Row[],
  width: number,
  columns: (make: Columns<Row>) => readonly Column[],
): string[] {
  const words: Columns<Row>['words'] = (heading, of, more) => {
    return { heading, cells: rows.map((row) => escapeText(of(row))), ...more };
  };
  const numbers: Columns<Row>['numbers'] = (heading, of) => {
    return { heading, cells: rows.map((row) => figure(of(row))), figures: true };
  };
  return table(columns({ words, numbers }), width);
}
