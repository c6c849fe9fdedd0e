// Counts what columns say about the people whom `only` leaves out, though no rule names it.
import { cleanCell } from '../../cells/read-cell.ts';
import { statusKind } from '../../cells/status-words.ts';
import { type Column, columnKey, statusKindOf } from '../../columns/columns.ts';
import { personOfRow } from '../../mapping/map-row.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import type { Row } from '../../rows/row.ts';
import { foldText } from '../../text/wildcard.ts';
import { sayWords, type StatusSign } from './sign.ts';
import { StatusTally } from './status-tally.ts';

/** A column of more words is none of countries, say, but of names. */
const mostWords = 200;
/** The number of people of each word who are looked up. */
const mostKeys = 100;

/** Words of a column that leave people out who may be there, such as `On leave` with `only` for `Active`, or `Denmark` for `DK`. */
export class LeftOutTaker {
  readonly #mapping: Mapping;
  readonly #statuses: (Judge & { tally: StatusTally })[];
  /** Of other columns the number of rows with each word, and the keys of the first people, empty where a row has none. */
  readonly #others: (Judge & { words: Map<string, { rows: number; keys: string[] }> })[];

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
    const { only, except, leavers } = mapping;
    const judges = only.flatMap((own) => {
      const { column, isOfTexts } = own;
      if (!column) return [];
      const named = [...only, ...except, ...leavers].flatMap((rule) =>
        rule.column?.index === column.index ? [...(rule.named ?? [])] : [],
      );
      const isAlone = (cells: readonly string[]): boolean => only.every((rule) => rule.holds(cells) === (rule !== own));
      return [{ column, isOfTexts, named: new Set(named), isAlone, kind: statusKindOf(column) }];
    });
    this.#statuses = judges
      .filter(({ kind }) => kind === 'status')
      .map((judge) => {
        const tally = new StatusTally(judge.column.name);
        // Beside `A`, a `T` is another word.
        for (const word of judge.named) tally.add(word);
        return { ...judge, tally };
      });
    this.#others = judges
      .filter(({ kind, isOfTexts }) => kind !== 'status' && isOfTexts)
      .map((judge) => ({ ...judge, words: new Map() }));
  }

  /** A row that is left out. */
  row(row: Row): void {
    for (const { tally, ...judge } of this.#statuses) {
      const cell = unnamed(judge, row.cells);
      if (cell !== undefined) tally.add(cell);
    }
    for (const { words, ...judge } of this.#others) {
      const cell = unnamed(judge, row.cells);
      const word = cleanCell(cell ?? '');
      if (cell === undefined || words.size > mostWords || statusKind(word) === 'ended') continue;
      const found = words.get(word) ?? { rows: 0, keys: [] };
      found.rows += 1;
      if (found.keys.length < mostKeys) found.keys.push(personOfRow(row, this.#mapping).key ?? '');
      words.set(word, found);
    }
  }

  words(): LeftOut[] {
    return this.#statuses.flatMap(({ named, tally }) => {
      const words = tally.notGone().filter(({ word }) => !named.has(foldText(word)));
      return words.length > 0 ? [{ column: tally.column, words }] : [];
    });
  }

  /** The words of other columns. */
  values(): LeftOutValue[] {
    return this.#others.flatMap(({ column, words }) =>
      words.size > mostWords ? [] : [...words].map(([word, found]) => ({ column: column.name, word, ...found })),
    );
  }
}

/** A condition of `only`. */
interface Judge {
  column: Column;
  /** The words that rules name. */
  named: ReadonlySet<string>;
  /** Whether a row is left out by this condition and no other. */
  isAlone: (cells: readonly string[]) => boolean;
}

/** The cell by which alone a row is left out; undefined if a rule names it. */
function unnamed({ column, named, isAlone }: Judge, cells: readonly string[]): string | undefined {
  const cell = cells[column.index] ?? '';
  return named.has(foldText(cleanCell(cell))) || !isAlone(cells) ? undefined : cell;
}

/** A word by which people are left out. */
export interface LeftOutValue {
  column: string;
  word: string;
  rows: number;
  keys: string[];
}

/** The words of people of whom at least half are `leaving`: where others have it who were left out before, it is not new. */
export function wordsOfLeavers(values: readonly LeftOutValue[], leaving: ReadonlySet<string>): LeftOut[] {
  const words = values.filter(({ keys }) => keys.filter((key) => leaving.has(key)).length * 2 >= keys.length);
  return [...Map.groupBy(words, ({ column }) => column)].map(([column, of]) => ({ column, words: of }));
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
