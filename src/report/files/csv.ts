// Writes rows as CSV that spreadsheets open safely.
import papaparse from 'papaparse';
import { guarded } from '../../core/cells/read-cell.ts';

/** A cell of a table; null is empty. */
export type Cell = string | number | boolean | null;

/**
 * RFC 4180, each line with its end; what a spreadsheet would run as a formula, or begins with `'`, gets one in front.
 */
export function csvText(
  rows: readonly (readonly Cell[])[],
  { delimiter = ',', newline = '\n' }: { delimiter?: string; newline?: string } = {},
): string {
  return papaparse.unparse(rows as unknown[][], { delimiter, newline, escapeFormulae: guarded }) + newline;
}

/** How a CSV file is written: for programs (RFC 4180); for `excel` so that it opens with two clicks wherever it is. */
export function csvForm(excel = false) {
  return excel ? { delimiter: ';', newline: '\r\n', mark: '\uFEFF' } : { delimiter: ',', newline: '\n', mark: '' };
}

/** Texts in one cell: with `; ` between them, or as a JSON array where one of them would be misread so. */
export function listCell(texts: readonly string[]): string {
  const isPlain = texts.every(
    (text) => text !== '' && text === text.trim() && !text.includes(';') && !text.startsWith('['),
  );
  return isPlain ? texts.join('; ') : JSON.stringify(texts);
}
