// Builds sheets from parts that arrive in order, within the limits.
import { refusal } from '../../core/words/say.ts';
import { InputError } from '../../core/errors.ts';
import { quote } from '../../core/text/quote.ts';
import { tooManyColumns, tooManySheets, type ReadLimits } from '../files/limits.ts';
import {
  append,
  assertRowLength,
  tooLongRow,
  isShortened,
  noteOddity,
  type NamedSheet,
  type OddKind,
  type Seen,
  type SheetRow,
} from './sheet.ts';

/** A row, and how often it stands there one below the other. */
export interface BuiltRow extends SheetRow {
  times: number;
}

export type SheetPart = { sheet: NamedSheet; seen: Seen } | { dropped: NamedSheet } | BuiltRow;

/** As many rows as any spreadsheet program has. */
const mostRows = 1_048_576;
/** Cells that a file may hold only by saying "this one again". A row that is filled down a whole sheet has a million. */
const mostRepeated = 10_000_000;
/** Characters of a sheet's name; programs allow 31 to 255. */
const mostOfName = 1000;

/** Builds the sheets of a workbook that is read from its beginning to its end, within the limits. Throws an `InputError`. */
export class SheetBuilder {
  readonly #file: string;
  readonly #limits: ReadLimits;
  #parts: SheetPart[] = [];
  #seen: Seen = { oddities: new Map(), merged: 0 };
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

  begin(sheet: NamedSheet): void {
    if (++this.#sheets > this.#limits.files) throw tooManySheets(this.#file, this.#limits.files);
    if (sheet.name.length > mostOfName) {
      throw new InputError(`${this.#file}: the name of a sheet is longer than ${mostOfName} characters.`);
    }
    this.#seen = { oddities: new Map(), merged: 0 };
    this.#cells = [];
    this.#length = 0;
    this.#spans.clear();
    this.#spanned = 0;
    this.#parts.push({ sheet, seen: this.#seen });
  }

  /** What was begun is no sheet. */
  drop(sheet: NamedSheet): void {
    this.#parts.push({ dropped: sheet });
  }

  /** Puts a text into a column of the row that is being built, and into so many to its right. */
  cell(column: number, text: string, columns = 1): void {
    if (text === '') return;
    if (!(column >= 0 && column + columns <= this.#limits.columns))
      throw tooManyColumns(this.#file, this.#limits.columns);
    if (columns > 1) this.#repeat(columns - 1);
    this.#length += text.length * columns;
    if (this.#length > this.#limits.record) throw tooLongRow(this.#file, this.#limits);
    while (this.#cells.length < column) this.#cells.push('');
    for (let at = column; at < column + columns; at++) this.#cells[at] = text;
  }

  /** A text of a cell that comes in pieces, with the next one. */
  append(text: string, more: string): string {
    return append(text, more, this.#file, this.#limits);
  }

  /** The cell of this column reaches down to the row of this number. */
  span(column: number, to: number, text: string): void {
    if (text === '') return;
    if (column >= this.#limits.columns) throw tooManyColumns(this.#file, this.#limits.columns);
    this.#spanned += text.length - (this.#spans.get(column)?.text.length ?? 0);
    if (this.#spanned > this.#limits.record) throw tooLongRow(this.#file, this.#limits);
    this.#spans.set(column, { to, text });
    this.#seen.merged++;
  }

  /** Whether a cell above reaches into this column of this row. */
  isCovered(column: number, line: number): boolean {
    const span = this.#spans.get(column);
    return span !== undefined && span.to >= line;
  }

  note(kind: OddKind, column: number, line: number): void {
    noteOddity(this.#seen.oddities, kind, column, line);
  }

  /** Ends a row that stands there `times` times; one without anything in it is left out. */
  row(line: number, isHidden: boolean, times = 1): void {
    if (!(line >= 1 && line + times - 1 <= mostRows)) {
      throw new InputError(`${this.#file}: a sheet has more than ${mostRows} rows.`);
    }
    const cells = this.#cells;
    this.#cells = [];
    this.#length = 0;
    for (const [column, { to, text }] of this.#spans) {
      if (to < line) {
        this.#spans.delete(column);
        this.#spanned -= text.length;
        continue;
      }
      while (cells.length <= column) cells.push('');
      if (cells[column] === '') cells[column] = text;
      this.#repeat(1);
    }
    assertRowLength(cells, this.#file, this.#limits);
    if (cells.every((cell) => cell.trim() === '')) return;
    for (const [column, text] of cells.entries()) if (isShortened(text)) this.note('scientific', column, line);
    if (times > 1) this.#repeat(cells.length * (times - 1));
    this.#parts.push({ line, cells, isHidden, times });
  }

  #repeat(cells: number): void {
    this.#repeated += cells;
    if (this.#repeated <= mostRepeated) return;
    throw refusal('repeatedCells', { file: this.#file, mostRepeated, what: quote('fill down') });
  }
}
