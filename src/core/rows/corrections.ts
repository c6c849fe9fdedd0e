// Cells of a file that somebody changed before it was planned, and what each change came to. The file stays as it is.
import { z } from 'zod';
import { isReject, type Reject, type Row } from './row.ts';

export const Correction = z.object({
  /** The row, as rows name it: of an archive, the file in it. Both are absent for every row whose cell holds `was`. */
  file: z.string().exactOptional(),
  line: z.int().min(0).exactOptional(),
  was: z.string().exactOptional(),
  /** The 0-based place of the column. */
  column: z.int().min(0),
  value: z.string(),
});
export type Correction = z.output<typeof Correction>;

/** A correction and what it came to. */
export interface MadeCorrection extends Omit<Correction, 'column'> {
  /** The heading. */
  column: string;
  /** What the cell held before it. */
  was: string;
  /** How many cells it changed. */
  cells: number;
  /** The last row that it is about, corrected; absent where there is none. */
  row?: Row;
}

/** Whether two corrections are about the same cells: the later one takes the place of the other. */
export const isOfSameCells = (one: Omit<Correction, 'value'>, other: Omit<Correction, 'value'>): boolean =>
  (['file', 'line', 'was', 'column'] as const).every((name) => one[name] === other[name]);

/** Corrects the rows of one reading of a file, in the order in which somebody made the corrections. */
export class Corrector {
  readonly #made: MadeCorrection[];
  readonly #columns: readonly number[];
  /** The places of the corrections of a row; of all rows, under an empty text. */
  readonly #ofRow: ReadonlyMap<string, readonly number[]>;

  constructor(corrections: readonly Correction[], header: readonly string[]) {
    this.#columns = corrections.map(({ column }) => column);
    this.#made = corrections.map(({ was = '', column, ...each }) => {
      return { ...each, column: (header[column] ?? '').trim(), was, cells: 0 };
    });
    this.#ofRow = Map.groupBy(corrections.keys(), (at) => placeOf(corrections[at] ?? {}));
  }

  /** A row that cannot be read at all stays as it is: none of its cells has a place. */
  correct(read: Row | Reject): Row | Reject {
    if (isReject(read)) return read;
    const [ofAll = [], mine] = [this.#ofRow.get(''), this.#ofRow.get(placeOf(read))];
    const places = mine ? [...mine, ...ofAll].toSorted((a, b) => a - b) : ofAll;
    let { cells } = read;
    const changed = new Set<number>();
    const about = places.flatMap((at) => {
      const [made, column = -1] = [this.#made[at], this.#columns[at]];
      const was = cells[column] ?? '';
      if (!made || (made.line === undefined && was !== made.was)) return [];
      if (changed.size === 0) cells = [...cells];
      cells[column] = made.value;
      changed.add(column);
      made.was = was;
      made.cells += was === made.value ? 0 : 1;
      return [made];
    });
    if (about.length === 0) return read;
    const { missing, ...others } = read;
    const lacking = [...(missing ?? [])].filter((place) => !changed.has(place));
    const row = { ...others, cells, ...(lacking.length > 0 && { missing: new Set(lacking) }) };
    for (const made of about) made.row = row;
    return row;
  }

  /** In their order; of what was read so far. */
  made(): readonly MadeCorrection[] {
    return this.#made;
  }
}

const placeOf = ({ file, line }: Pick<Correction, 'file' | 'line'>): string =>
  line === undefined ? '' : `${line} ${file}`;
