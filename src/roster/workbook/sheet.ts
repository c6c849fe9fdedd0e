// The interface of a workbook and its sheets, whatever the format.
import type { RosterFormat } from '../../core/rows/row.ts';
import { InputError } from '../../core/errors.ts';
import type { ReadLimits } from '../files/limits.ts';

export interface NamedSheet {
  name: string;
  isHidden: boolean;
}

/** A row of a sheet that is not blank. */
export interface SheetRow {
  /** The 1-based number of the row. */
  line: number;
  cells: string[];
  /** The 0-based columns of formulas whose value was never stored; only known in xlsx. */
  uncomputed?: Set<number>;
  isHidden: boolean;
}

/** What of a cell a person should know of. */
export type OddKind = 'error' | 'formula' | 'rounded' | 'scientific';

/** What was met on the way that a person should know of, by its kind: the first cell, and how many. */
export type Oddities = Map<OddKind, { cell: string; count: number }>;

export interface Seen {
  oddities: Oddities;
  /** Cells merged over several rows. */
  merged: number;
}

export interface AnyWorkbook {
  readonly format: RosterFormat;
  readonly sheets: readonly NamedSheet[];
  /** The refusal where no sheet has people, for what may be no workbook at all; such a one must have some. */
  readonly nobody?: string;
  /** The rows of one of its sheets, some at a time, from the beginning each time. Of xlsx, merges right of `width` are left out. */
  rows(sheet: NamedSheet, seen: Seen, width: number): AsyncGenerator<SheetRow[]>;
  close(): Promise<void>;
}

/** Counts something odd in a cell; `column` is 0-based. */
export function noteOddity(oddities: Oddities, kind: OddKind, column: number, line: number): void {
  const found = oddities.get(kind);
  if (found) found.count++;
  else oddities.set(kind, { cell: `${columnName(column)}${line}`, count: 1 });
}

/** The letters of a 0-based column. */
function columnName(index: number): string {
  let name = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/** Whether a text is a number that was shortened before it came here: `4.67E+11`. */
export function isShortened(text: string): boolean {
  return /^\d(?:[.,]\d+)?E\+\d+$/.test(text);
}

/** Throws an `InputError` once it is longer than a record may be. */
export function append(text: string, more: string, file: string, { record }: Pick<ReadLimits, 'record'>): string {
  if (text.length + more.length <= record) return text + more;
  throw new InputError(`${file}: one value in it is longer than ${record} characters.`);
}

export function tooLongRow(file: string, { record }: Pick<ReadLimits, 'record'>): InputError {
  return new InputError(`${file}: one row in it is longer than ${record} characters.`);
}

export function assertRowLength(cells: readonly string[], file: string, limits: Pick<ReadLimits, 'record'>): void {
  let length = 0;
  for (const cell of cells) length += cell.length;
  if (length > limits.record) throw tooLongRow(file, limits);
}
