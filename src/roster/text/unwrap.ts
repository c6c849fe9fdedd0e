// Unwraps rows that a program has saved as one single cell.
import Papa from 'papaparse';

/** Some programs save a row as `"Ann,Ek,""Sales, EU"""`. Undefined for several cells, or one that is no row. */
export function unwrap(cells: readonly string[], delimiter: string): string[] | undefined {
  const [cell] = cells;
  if (cells.length !== 1 || !cell?.includes(delimiter)) return undefined;
  const { data, errors } = Papa.parse<string[]>(cell, { header: false, quoteChar: '"', delimiter, newline: '\n' });
  return data.length === 1 && errors.length === 0 ? data[0] : undefined;
}
