// Unwraps rows that a program has saved as one single cell.
import Papa from 'papaparse';

/**
 * The cells of a row that is one cell as a whole (`"Ann,Ek,""Sales, EU"""`), which some programs make of a
 * file they open and save again. Undefined where the row has several cells, or its one cell is no row.
 */
export function unwrap(cells: readonly string[], delimiter: string): string[] | undefined {
  const [cell] = cells;
  if (cells.length !== 1 || !cell?.includes(delimiter)) return undefined;
  const { data, errors } = Papa.parse<string[]>(cell, { header: false, quoteChar: '"', delimiter, newline: '\n' });
  return data.length === 1 && errors.length === 0 ? data[0] : undefined;
}
