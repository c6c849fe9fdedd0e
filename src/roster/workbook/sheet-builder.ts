// Builds the rows of sheets from cells that arrive in order, whatever the format, within the limits.
import { isDamaged, isPlaceholder, neverStored } from '../../core/cells/placeholders.ts';
import type { RosterFormat } from '../../core/rows/row.ts';
import { refusal, InputError } from '../../core/errors.ts';
import { quote } from '../../core/text/format.ts';
import type { ReadLimits } from '../files/limits.ts';

export interface NamedSheet {
  name: string;
  isHidden: boolean;
}

/** A row of a sheet that is not blank, and how often it stands there one below the other. */
export interface SheetRow {
  /** The 1-based number of the row. */
  line: number;
  cells: string[];
  isHidden: boolean;
  times: number;
}

/** What of a cell a person should know of. */
export type OddKind = 'error' | 'formula' | 'rounded' | 'scientific';

/** What was met on the way that a person should know of. */
export interface Noticed {
  /** By its kind: the first cell, and how many. */
  oddities: Map<OddKind, { cell: string; count: number }>;
  /** Cells merged over several rows. */
  merged: number;
}

export const nothingNoticed = (): Noticed => ({ oddities: new Map(), merged: 0 });

export interface AnyWorkbook {
  readonly format: RosterFormat;
  readonly sheets: readonly NamedSheet[];
  /** The refusal where no sheet has people, for what may be no workbook at all; such a one must have some. */
  readonly nobody?: string;
  /** The rows of one of its sheets, some at a time, from the beginning each time. Of xlsx, merges right of `width` are left out. */
  rows(sheet: NamedSheet, seen: Noticed, width: number): AsyncGenerator<SheetRow[]>;
  close(): Promise<void>;
}

export type SheetPart = { sheet: NamedSheet; seen: Noticed } | { dropped: NamedSheet } | SheetRow;

/** As many rows as any spreadsheet program has. */
export const mostRows = 1_048_576;
/** Cells that a file may hold only by saying "this one again". A row that is filled down a whole sheet has a million. */
const mostRepeated = 10_000_000;
/** Characters of a sheet's name; programs allow 31 to 255. */
const mostOfName = 1000;

/** Throws an `InputError` for what is beyond the limits. */
export class SheetBuilder {
  readonly #file: string;
  readonly #limits: ReadLimits;
  #parts: SheetPart[] = [];
  #seen = nothingNoticed();
  #sheets = 0;
  #repeated = 0;
  #cells: string[] = [];
  #length = 0;
  /** By column: cells that reach down into the rows below. */
  readonly #spans = new Map<number, { to: number; text: string }>();
  /** Characters in them. */
  #spanned = 0;

  constructor(file: string, limits: ReadLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  take(): SheetPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  begin(sheet: NamedSheet, seen = nothingNoticed()): void {
    const { files: most } = this.#limits;
    if (++this.#sheets > most) throw refusal('manySheets', { file: this.#file, most });
    if (sheet.name.length > mostOfName) throw refusal('longSheetName', { file: this.#file, mostOfName });
    this.#seen = seen;
    this.dropRow();
    this.#spans.clear();
    this.#spanned = 0;
    this.#parts.push({ sheet, seen });
  }

  /** What was begun is no sheet. */
  drop(sheet: NamedSheet): void {
    this.#parts.push({ dropped: sheet });
  }

  /** Puts a text into a column of the row that is being built, and into so many to its right. */
  cell(column: number, text: string, columns = 1): void {
    if (text === '') return;
    if (!(column >= 0 && column + columns <= this.#limits.columns)) throw this.#tooManyColumns();
    if (columns > 1) this.#repeat(columns - 1);
    this.#length += text.length * columns;
    if (this.#length > this.#limits.record) throw this.#tooLongRow();
    while (this.#cells.length < column) this.#cells.push('');
    for (let at = column; at < column + columns; at++) this.#cells[at] = text;
  }

  /** A text of a cell that comes in pieces, with the next one. */
  append(text: string, more: string): string {
    return append(text, more, this.#file, this.#limits);
  }

  /** The cell of this column, which may be empty, reaches down to the row of this number. */
  span(column: number, to: number, text = this.#cells[column] ?? ''): void {
    if (column >= this.#limits.columns) throw this.#tooManyColumns();
    this.#spanned += text.length - (this.#spans.get(column)?.text.length ?? 0);
    if (this.#spanned > this.#limits.record) throw this.#tooLongRow();
    this.#spans.set(column, { to, text });
    if (text !== '') this.#seen.merged++;
  }

  /** Whether a cell above reaches into this column of this row. */
  isCovered(column: number, line: number): boolean {
    const span = this.#spans.get(column);
    return span !== undefined && span.to >= line;
  }

  /** Counts an error in a cell, and gives what it shows: nothing for a lookup that finds nothing. What another one hides, nobody knows. */
  error(shown: string, column: number, line: number): string {
    this.note('error', column, line);
    if (isDamaged(shown)) return shown;
    return shown.trim() === '' || isPlaceholder(shown.trim()) ? '' : '#VALUE!';
  }

  /** Counts a formula whose value was never stored, and gives what stands for it. */
  formula(column: number, line: number): string {
    this.note('formula', column, line);
    return neverStored;
  }

  /** Counts something odd in a cell of the row that is being built. */
  note(kind: OddKind, column: number, line: number): void {
    if (column >= this.#limits.columns) throw this.#tooManyColumns();
    const found = this.#seen.oddities.get(kind);
    if (found) found.count++;
    else this.#seen.oddities.set(kind, { cell: `${columnName(column)}${line}`, count: 1 });
  }

  /** Ends a row that stands there `times` times; one without anything in it is left out. */
  row(line: number, isHidden: boolean, times = 1): void {
    if (!(line >= 1 && line + times - 1 <= mostRows)) throw refusal('manySheetRows', { file: this.#file, mostRows });
    const cells = this.#cells;
    let length = this.#length;
    for (let at = 0; at < cells.length; at++) if (isShortened(cells[at] ?? '')) this.note('scientific', at, line);
    this.dropRow();
    for (const [column, { to, text }] of this.#spans) {
      if (to < line) {
        this.#spans.delete(column);
        this.#spanned -= text.length;
        continue;
      }
      if (text === '') continue;
      while (cells.length <= column) cells.push('');
      if (cells[column] === '') length += (cells[column] = text).length;
      this.#repeat(1, 'manyMerged');
    }
    if (length > this.#limits.record) throw this.#tooLongRow();
    // Formulas that are filled down in advance make no row.
    if (cells.every((cell) => cell.trim() === '' || cell === neverStored)) return;
    if (times > 1) this.#repeat(cells.length * (times - 1));
    this.#parts.push({ line, cells, isHidden, times });
  }

  /** What was put into a row is none. */
  dropRow(): void {
    this.#cells = [];
    this.#length = 0;
  }

  #repeat(cells: number, what = 'repeatedCells'): void {
    this.#repeated += cells;
    if (this.#repeated <= mostRepeated) return;
    throw refusal(what, { file: this.#file, most: mostRepeated, what: quote('fill down') });
  }

  #tooManyColumns(): InputError {
    return refusal('manyColumns', { file: this.#file, most: this.#limits.columns });
  }

  #tooLongRow(): InputError {
    return new InputError(`${this.#file}: one row in it is longer than ${this.#limits.record} characters.`);
  }
}

/** The letters of a 0-based column. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** Whether a text is a number that was shortened before it came here: `4.67E+11`. */
function isShortened(text: string): boolean {
  return /^\d(?:[.,]\d+)?E\+\d+$/.test(text);
}

/** Throws an `InputError` once it is longer than a record may be. */
export function append(text: string, more: string, file: string, { record }: Pick<ReadLimits, 'record'>): string {
  if (text.length + more.length <= record) return text + more;
  throw new InputError(`${file}: one value in it is longer than ${record} characters.`);
}
