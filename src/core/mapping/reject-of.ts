// Makes a reject of a row.
import type { Reject, Row } from '../rows/row.ts';

/** What such a cell is rejected with. */
export const neverStored =
  'the cell holds a formula whose value was never stored: open the file in Excel or LibreOffice, save it, and import that';

/** The row, and what is wrong with one of its cells. */
export function rejectOf(row: Row, column: { name: string; index: number } | undefined, reason: string): Reject {
  if (!column) return { ...row, column: '', value: '', reason };
  const why = isUncomputed(row, column) ? neverStored : reason;
  return { ...row, column: column.name, value: row.cells[column.index] ?? '', reason: why };
}

/** Whether a cell holds a formula without a value. */
export const isUncomputed = ({ uncomputed }: Row, { name }: { name: string }): boolean =>
  uncomputed?.includes(name) === true;
