// Counts the words of a status column; memory does not grow with the rows.
import { cleanCell } from '../../cells/clean-cell.ts';
import { isPlaceholder } from '../../cells/placeholders.ts';
import { readDay } from '../../cells/days.ts';
import { readFlag } from '../../cells/yes-or-no.ts';
import { foldText } from '../../text/wildcard.ts';
import { statusKind, tellWhoIsThere } from '../../cells/status-words.ts';
import type { StatusKind } from '../../words/compile.ts';
import { isInvertedName, mostStatusWords } from './presence-columns.ts';
import type { StatusSign } from './sign.ts';

/** Longer texts are no words of a status. */
const longestWord = 120;

/** Shorter ones are codes of anything. */
const shortestMention = 4;

export class StatusTally {
  readonly column: string;
  /** Cells as they stand there, and how many; undefined once there are too many different ones. */
  #cells: Map<string, number> | undefined = new Map();

  readonly #kind: 'sure' | 'doubtful' | 'flags';
  /** Yes is for people who are not there. */
  readonly #isInverted: boolean;

  /**
   * A `doubtful` column is one only where its words say that some are there and some not; of a last day, only yes and
   * no are `flags`.
   */
  constructor(column: string, kind: 'sure' | 'doubtful' | 'flags' = 'sure') {
    this.column = column;
    this.#kind = kind;
    this.#isInverted = kind === 'flags' || isInvertedName(column);
  }

  add(cell: string): void {
    if (!this.#cells) return;
    const count = this.#cells.get(cell);
    if (count !== undefined) this.#cells.set(cell, count + 1);
    else if (this.#cells.size >= mostStatusWords || cell.length > longestWord) this.#cells = undefined;
    // A copy: a part of a text would keep all of it in memory.
    else this.#cells.set(Buffer.from(cell).toString(), 1);
  }

  /** Whether any word is one that is known. */
  get isUnderstood(): boolean {
    if (this.#kind !== 'sure') return this.sign() !== undefined;
    return this.#words().some(({ word }) => word !== '' && (readFlag(word) ?? statusKind(word)) !== undefined);
  }

  /** Texts whose meaning is not known: nobody can say of these people whether they are there. */
  unknown(): StatusSign['unknown'] {
    const words = this.#words().filter(({ word }) => word !== '');
    if (this.#kind !== 'sure' || this.#isInverted || words.every(({ word }) => readFlag(word) !== undefined)) return [];
    return words.filter(({ word }) => (readFlag(word) ?? statusKind(word)) === undefined);
  }

  /** Texts of a column of any name that say in words that somebody has left, such as a note: `left 31/08/2026`. */
  mentioned(): StatusSign['words'] {
    if (this.#kind !== 'doubtful') return [];
    return this.#words().filter(({ word }) => word.length >= shortestMention && statusKind(word) === 'ended');
  }

  /** What it says; undefined if everybody is there by it, or it has too many different words. */
  sign(): StatusSign | undefined {
    const words = this.#words();
    const filled = words.filter(({ word }) => word !== '');
    if (filled.length === 0) return undefined;
    const isFlag = filled.every(({ word }) => readFlag(word) !== undefined);
    // `T` is terminated beside `A` for active; alone it may be true.
    const hasCodes = words.some(({ word }) => foldText(word) === 'a');
    const kindOf = (word: string): StatusKind | undefined =>
      hasCodes && foldText(word) === 't' ? 'ended' : statusKind(word);
    const gone = words.filter(({ word }) => {
      if (isFlag) return readFlag(word) === this.#isInverted;
      const kind = kindOf(word);
      if (this.#isInverted && kind === undefined) return saysWhy(word);
      return kind === 'ended' || kind === 'future';
    });
    if (gone.length === 0 || (this.#kind === 'flags' && !isFlag)) return undefined;
    if (this.#kind === 'doubtful' && !tellWhoIsThere(words.map(({ word }) => word))) return undefined;
    const unknown = isFlag || this.#isInverted ? [] : words.filter(({ word }) => statusKind(word) === undefined);
    const rows = gone.reduce((sum, each) => sum + each.rows, 0);
    return { kind: 'status', column: this.column, rows, words: gone, unknown };
  }

  /** The words, the most frequent first; case does not count. */
  #words(): { word: string; rows: number }[] {
    const words = new Map<string, { word: string; rows: number }>();
    for (const [cell, rows] of this.#cells ?? []) {
      const word = cleanCell(cell);
      const known = words.get(foldText(word));
      if (known) known.rows += rows;
      else words.set(foldText(word), { word, rows });
    }
    return [...words.values()].toSorted((a, b) => b.rows - a.rows);
  }
}

/** Whether a text of a column such as `Termination Reason` says that somebody is gone: any that is no flag, day or placeholder. */
function saysWhy(text: string): boolean {
  return text !== '' && readFlag(text) !== false && !isPlaceholder(text) && typeof readDay(text) === 'object';
}
