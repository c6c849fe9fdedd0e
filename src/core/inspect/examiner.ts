// Looks at what a mapping makes of rows, for a person to check before anything is sent.
import type { Day } from '../cells/days.ts';
import { defined } from '../defined.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Reject, Row } from '../rows/row.ts';
import type { Census } from './census.ts';
import { RowCensus } from './row-census.ts';

export interface Examined {
  census: Census;
  names: string[];
  /** The first names of those whom each filter leaves out, by its words. */
  leftOut: ReadonlyMap<string, readonly string[]>;
  /** How many people start later, and from when to when; absent where nobody does. */
  later?: { people: number; from: Day; to: Day };
}

/** A row that a filter leaves out: whose it is, where it stands, and what the filter says. */
export interface LeftOutRow {
  name: string;
  email: string;
  why: string;
  line: number;
}

const mostNames = 4;
const mostLeftOut = 3;
/** Names kept to choose from; each has a letter that none before it has. */
const mostKept = 200;

export class Examiner {
  readonly #mapping: Mapping;
  readonly #census: RowCensus;
  readonly #letters = new Set<string>();
  readonly #odd: string[] = [];
  readonly #first: string[] = [];
  readonly #leftOut = new Map<string, string[]>();
  #later: Examined['later'];

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
    this.#census = new RowCensus(mapping);
  }

  add(row: Row | Reject): void {
    const result = this.#census.add(row);
    if ('reason' in result) return;
    if ('filtered' in result) {
      const names = this.#leftOut.get(result.filtered) ?? [];
      if (names.length < mostLeftOut) this.#leftOut.set(result.filtered, [...names, nameInRow(this.#mapping, row)]);
      return;
    }
    const { member, startsOn } = result;
    this.#addName(`${member.firstname} ${member.lastname}`);
    if (startsOn === undefined) return;
    const { people = 0, from = startsOn, to = startsOn } = this.#later ?? {};
    this.#later = { people: people + 1, from: Math.min(from, startsOn), to: Math.max(to, startsOn) };
  }

  result(): Examined {
    const odd = this.#odd.toSorted((one, other) => oddLetters(other).length - oddLetters(one).length);
    const names = [...new Set([...odd, ...this.#first])].slice(0, mostNames);
    return {
      census: this.#census.result(),
      names,
      leftOut: this.#leftOut,
      ...defined({ later: this.#later }),
    };
  }

  #addName(name: string): void {
    if (this.#first.length < mostNames) this.#first.push(copyOf(name));
    const odd = oddLetters(name).filter((letter) => !this.#letters.has(letter));
    if (odd.length === 0 || this.#odd.length >= mostKept) return;
    for (const letter of odd) this.#letters.add(letter);
    this.#odd.push(copyOf(name));
  }
}

/** The name in a row that is nobody's member, at most 100 characters; its line where it has none. */
export function nameInRow({ fields }: Pick<Mapping, 'fields'>, { cells, line }: Row): string {
  const { firstname, lastname, fullname, email } = fields;
  const whole = fullname && (cells[fullname.column.index] ?? '').trim();
  const parts = [firstname?.read(cells) ?? '', lastname?.read(cells) ?? ''].join(' ').trim();
  return copyOf([parts, whole, email?.read(cells)].find((text) => text) ?? `line ${line}`);
}

/** Letters that are not the same in every encoding. */
function oddLetters(text: string): string[] {
  return [...new Set(text)].filter((letter) => letter > '\u007f');
}

/** The text of a cell keeps its neighbours in memory. */
const copyOf = (text: string): string => structuredClone(text.slice(0, 100));
