// Counts what status columns say about the people whom `only` leaves out, though no rule names it.
import { cleanCell } from '../../cells/read-cell.ts';
import { columnKey, statusKindOf } from '../../columns/columns.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { foldText } from '../../text/wildcard.ts';
import { sayWords, type StatusSign } from './sign.ts';
import { StatusTally } from './status-tally.ts';

/** Words of a column that leave people out who may be there, such as `On leave` with `only` for `Active`. */
export class LeftOutTaker {
  readonly #columns: {
    index: number;
    isAlone: (cells: readonly string[]) => boolean;
    named: Set<string>;
    tally: StatusTally;
  }[];

  constructor({ only, except, leavers }: Pick<Mapping, 'only' | 'except' | 'leavers'>) {
    this.#columns = only.flatMap((own) => {
      const { column } = own;
      if (!column || statusKindOf(column) !== 'status') return [];
      const named = [...only, ...except, ...leavers].flatMap((rule) =>
        rule.column?.index === column.index ? [...(rule.named ?? [])] : [],
      );
      const tally = new StatusTally(column.name);
      // Beside `A`, a `T` is another word.
      for (const word of named) tally.add(word);
      const isAlone = (cells: readonly string[]): boolean => only.every((rule) => rule.holds(cells) === (rule !== own));
      return [{ index: column.index, isAlone, named: new Set(named), tally }];
    });
  }

  /** A row that is left out. */
  row(cells: readonly string[]): void {
    for (const { index, isAlone, named, tally } of this.#columns) {
      const cell = cells[index] ?? '';
      if (!named.has(foldText(cleanCell(cell))) && isAlone(cells)) tally.add(cell);
    }
  }

  words(): LeftOut[] {
    return this.#columns.flatMap(({ named, tally }) => {
      const words = tally.notGone().filter(({ word }) => !named.has(foldText(word)));
      return words.length > 0 ? [{ column: tally.column, words }] : [];
    });
  }
}

/** What a column says about people who are left out. */
export interface LeftOut {
  column: string;
  words: StatusSign['words'];
}

export const sayLeftOut = (what: string, { column, words }: LeftOut): string => sayWords(what, column, words);

/** What was not `known` of it: a guard has not asked about it yet. */
export function newlyLeftOut(leftOut: readonly LeftOut[], known: readonly string[]): LeftOut[] {
  return leftOut.flatMap(({ column, words }) => {
    const fresh = words.filter(({ word }) => !known.includes(keyOf(column, word)));
    return fresh.length > 0 ? [{ column, words: fresh }] : [];
  });
}

/** By which a census remembers it. */
export const leftOutKeys = ({ column, words }: LeftOut): string[] => words.map(({ word }) => keyOf(column, word));

const keyOf = (column: string, word: string): string => `${columnKey(column)}: ${foldText(word)}`;
