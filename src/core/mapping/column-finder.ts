// Finds the columns that mapping rules name.
import { columnsNamed, type Column } from '../columns/columns.ts';
import { nearest } from '../text/nearest.ts';
import { wildcard } from '../text/wildcard.ts';
import { letterRange } from './mapping-rules.ts';
import { quote } from '../text/format.ts';

const mostListed = 20;
const mostCompared = 1000;
/** With any problem a mapping is refused: after a hundred no more columns are looked for, and only the first ten are guessed. */
const [mostProblems, mostGuessed] = [100, 10];

export class ColumnFinder {
  readonly columns: readonly Column[];
  /** What columns hold, by their place, where somebody looked; empty of an empty one. */
  readonly contents: ReadonlyMap<number, string>;
  /** Everything that is wrong so far, each as one sentence. */
  readonly problems: string[] = [];

  constructor(columns: readonly Column[], contents: ReadonlyMap<number, string> = new Map()) {
    this.columns = columns;
    this.contents = contents;
  }

  /** Of several columns those that are filled, and of those that hold the same the first. */
  telling(columns: readonly Column[]): Column[] {
    const contents = columns.map(({ index }) => this.contents.get(index));
    const found = columns.filter((_, at) => contents[at] !== '' && contents.indexOf(contents[at]) === at);
    return this.contents.size === 0 || found.length === 0 ? [...columns] : found;
  }

  /** The one column of a name. `asker` says who names it: `--map`, `groups`. */
  one(name: string, asker: string): Column | undefined {
    if (this.problems.length >= mostProblems) return undefined;
    const found = columnsNamed(this.columns, name);
    if (found.length === 1) return found[0];
    this.problems.push(
      found.length === 0
        ? `there is no column ${quote(name)}, which ${asker}.${this.#guess(name)}`
        : `${quote(name)}, which ${asker}, ${severalOf('can mean', found, 'write it as the header does.')}`,
    );
    return undefined;
  }

  /** The column that a mistyped name was probably meant to be, as a question. */
  #guess(name: string): string {
    if (this.problems.length >= mostGuessed) return '';
    const names = this.columns.slice(0, mostCompared).map((column) => column.name);
    const meant = nearest(
      name.trim(),
      names.filter((each) => each !== ''),
    );
    return meant === undefined ? '' : ` Did you mean ${quote(meant)}?`;
  }

  /** The columns of a name in which `*` stands for anything, in the header's order; of a name without, the one. */
  all(name: string, asker: string): Column[] {
    if (!name.includes('*') || this.columns.some((column) => column.name === name.trim())) {
      const column = this.one(name, asker);
      return column ? [column] : [];
    }
    const isMeant = wildcard(name);
    const found = this.columns.filter((column) => isMeant(column.name));
    if (found.length === 0) this.problems.push(`there is no column like ${quote(name)}, which ${asker}.`);
    return found;
  }

  /** The columns of a name, or those from one letter of a spreadsheet to another: `A:F`. */
  range(name: string, asker: string): Column[] {
    const letters = letterRange.exec(name);
    if (!letters || columnsNamed(this.columns, name).length > 0) return this.all(name, asker);
    const [from, to] = [numberOf(letters[1] ?? ''), numberOf(letters[2] ?? '')];
    const found = this.columns.filter(({ index }) => index + 1 >= from && index + 1 <= to);
    const last = (this.columns.at(-1)?.index ?? -1) + 1;
    if (found.length === 0 || to > last)
      this.problems.push(`${quote(name)}, which ${asker}, is not among the ${last} columns.`);
    return found;
  }
}

/** The number of a column by its letters in a spreadsheet: A is 1, AA is 27. */
function numberOf(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** `can be "A", "B" or "C": say which`; columns that are named alike are told apart by their place. */
export function severalOf(verb: string, columns: readonly Column[], next: string): string {
  const isAlike = new Set(columns.map(({ name }) => name)).size < columns.length;
  const shown = columns.slice(0, mostListed);
  const places = shown.map(({ name, index }) => (isAlike ? `${quote(name)} (column ${index + 1})` : quote(name)));
  const left = columns.length - shown.length;
  const last = left > 0 ? `${left} more` : places.pop();
  const advice = isAlike ? 'give them names of their own in the file.' : next;
  return `${verb} ${places.join(', ')} or ${last}: ${advice}`;
}
