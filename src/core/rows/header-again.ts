// Reads the rows below a header that comes again in another order, or of another list.
import { columnsMeaning, columnKey, listColumns, wholeNameColumns } from '../columns/columns.ts';
import { say } from '../words/say.ts';
import { arrange, type Reject, type Row } from './row.ts';

/** Follows the headers of a file: each row is taken once, in the file's order. */
export class HeaderAgain {
  readonly #keys: readonly string[];
  /** The column of addresses, in which a row with an `@` is of a person; -1 where none is known by its name. */
  readonly #email: number;
  readonly #first: string;
  /** Where the rows below have each column, once a header of another order was read; and why they cannot be read. */
  #places: number[] | undefined;
  #reason: string | undefined;

  constructor(header: readonly string[]) {
    this.#keys = header.map(columnKey);
    this.#email = columnsMeaning(listColumns(header), 'email')[0]?.index ?? -1;
    this.#first = header[0] ?? '';
  }

  /** The row with its cells where the header of the file has them; a reject where that is not known. */
  take(row: Row | Reject): Row | Reject {
    const cell = this.#email < 0 ? row.cells[0] : row.cells[this.#email];
    const mayBe = this.#email < 0 ? cell === this.#first : cell && !cell.includes('@');
    if (mayBe && this.#isHeader(row)) {
      const what = this.#places ? say('otherOrder', 1) : this.#reason;
      return what === undefined ? row : { ...row, column: '', value: '', reason: say('secondHeader', 1, { what }) };
    }
    if (this.#reason !== undefined)
      return { ...row, column: '', value: '', reason: this.#reason, kind: 'damaged', hidesOthers: true };
    return this.#places ? arrange(row, this.#places, row.cells.length) : row;
  }

  /** Whether the row is a header, by which the rows below are read from here on. */
  #isHeader({ cells, line }: Row): boolean {
    const keys = cells.map(columnKey);
    if (this.#keys.every((key, at) => key === keys[at])) return this.#readFrom(undefined);
    const filled = keys.filter((key) => key !== '');
    if (filled.length < 2) return false;
    const isDistinct = filled.length === this.#keys.length && filled.length === new Set(filled).size;
    const isOfThese = isDistinct && this.#keys.every((key) => keys.includes(key));
    if (isOfThese) {
      const places = this.#keys.map((key) => keys.indexOf(key));
      return this.#readFrom(places.some((place, at) => place !== at) ? places : undefined);
    }
    const columns = listColumns(cells);
    const names = [...columnsMeaning(columns, 'firstname'), ...columnsMeaning(columns, 'lastname')];
    if (columnsMeaning(columns, 'email').length === 0 || names.length + wholeNameColumns(columns).length === 0)
      return false;
    this.#places = undefined;
    this.#reason = say('otherHeader', 1, { line });
    return true;
  }

  #readFrom(places: number[] | undefined): true {
    this.#places = places;
    this.#reason = undefined;
    return true;
  }
}
