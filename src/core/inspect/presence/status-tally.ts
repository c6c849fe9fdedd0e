// Counts the words of a status column; memory does not grow with the rows.
import { cleanCell } from '../../cells/read-cell.ts';
import { isPlaceholder } from '../../cells/placeholders.ts';
import { readDay } from '../../cells/days.ts';
import {
  readFlag,
  isTitleOfGone,
  kindOfCode,
  saysGone,
  saysRemoved,
  statusKind,
  tellWhoIsThere,
} from '../../cells/status-words.ts';
import { columnKey, statusKindOf } from '../../columns/columns.ts';
import { splitAnswers } from '../../headings/read-heading.ts';
import { sheetColumn } from '../../rows/row.ts';
import { foldText } from '../../text/wildcard.ts';
import type { StatusKind } from '../../words/words.ts';
import type { StatusSign } from './sign.ts';

/** Longer texts are no words of a status. */
const longestWord = 120;
/** So long may be what begins with one and gives a reason. */
const longestKept = 1000;

/** Shorter ones are codes of anything: initials, grades. */
const isWord = (text: string): boolean => text.length >= 4 || /[\u0250-\uffff]/.test(text);

/** Whether a text is yes or no in a word; one letter may be a code, and none is no value. */
const isAnswer = (text: string): boolean => text.length > 1 && !isPlaceholder(text) && readFlag(text) !== undefined;

/** How sure a column is to be a status by its name. */
type Kind = keyof typeof mostWords;
/** A column of more different words is none of this kind; of a `sure` one, only those that say who is gone are kept then. */
const mostWords = { sure: 40, flags: 40, begun: 40, doubtful: 200, actions: 200, units: 400 };
/** The most that are kept of a column, so that memory does not grow with the rows. */
const mostKept = 10_000;

export class StatusTally {
  readonly column: string;
  /** Cells as they stand there, and how many; undefined once there are too many different ones for its kind. */
  #cells: Map<string, number> | undefined = new Map();

  readonly #kind: Kind;
  /** Yes is for people who are not there. */
  readonly #isInverted: boolean;
  readonly #isBits: boolean;
  readonly #yes: string | undefined;
  /** There are more different words than those that are kept. */
  #isCut = false;

  /**
   * A `doubtful` column is one only where its words say that some are there and some not; of a last day (`flags`) and of a
   * first one (`begun`, such as `In dienst`), only yes and no count; of `units`, only names of groups such as `Leavers` count;
   * `actions` are doubtful, and also say who is removed: `Delete`.
   */
  constructor(column: string, kind: Kind = 'sure') {
    this.column = column;
    this.#kind = kind;
    this.#isInverted = kind === 'flags' || statusKindOf({ index: 0, name: column }) === 'gone';
    this.#yes = splitAnswers(column).yes;
    this.#isBits = columnKey(column).endsWith('useraccountcontrol');
  }

  add(text: string): void {
    if (!this.#cells) return;
    // The rest of a distinguished name is that of the unit.
    const cell = this.#kind === 'units' && ownName.test(text) ? text.replace(ownName, '') : text;
    const count = this.#cells.get(cell);
    if (count !== undefined) return void this.#cells.set(cell, count + 1);
    const isFull = this.#cells.size >= mostWords[this.#kind];
    if (isFull && this.#kind !== 'sure' && this.#kind !== 'actions') return void (this.#cells = undefined);
    this.#isCut ||= isFull;
    if ((isFull || cell.length > longestWord) && !this.#isKeptBeside(cell)) return;
    // A copy: a part of a text would keep all of it in memory.
    this.#cells.set(Buffer.from(cell).toString(), 1);
  }

  /** Whether any word is one that is known. */
  get isUnderstood(): boolean {
    if (this.#kind !== 'sure') return this.sign() !== undefined;
    return this.#words().some(({ word }) => word !== '' && (this.#flag(word) ?? statusKind(word)) !== undefined);
  }

  /** Texts whose meaning is not known: nobody can say of these people whether they are there. */
  unknown(): StatusSign['unknown'] {
    const words = this.#words().filter(({ word }) => word !== '');
    if (
      this.#kind !== 'sure' ||
      this.#isCut ||
      this.#isInverted ||
      words.every(({ word }) => this.#flag(word) !== undefined)
    )
      return [];
    return words.filter(
      ({ word }) => typeof readDay(word) === 'object' && !isAnswer(word) && statusKind(word) === undefined,
    );
  }

  /** Texts of a column of any name that say in words that somebody has left, such as a note: `left 31/08/2026`. */
  mentioned(): StatusSign['words'] {
    const words = this.#words();
    // Among yes and no it is an answer, and beside `right`, `married` or `never` no status of work.
    if (
      (this.#kind !== 'doubtful' && this.#kind !== 'actions') ||
      words.some(({ word }) => word.length > 1 && (this.#flag(word) || /^(?:right|married|never)\b/i.test(word)))
    )
      return [];
    return words.filter(({ word }) => isWord(word) && (statusKind(word) === 'ended' || saysGone(word)));
  }

  /** Words, no yes or no, of people of whom it does not say that they are gone; the empty text for empty cells, and what stands for no value. */
  notGone(): StatusSign['words'] {
    const gone = new Set(this.sign()?.words.flatMap(({ word }) => (statusKind(word) === 'future' ? [] : word)));
    const isOther = (word: string): boolean => this.#flag(word) !== undefined || typeof readDay(word) !== 'object';
    return (this.#isCut ? [] : this.#words()).filter(
      ({ word }) => !gone.has(word) && (word === '' || isPlaceholder(word) || !isOther(word)),
    );
  }

  /** What it says; undefined if everybody is there by it, or it has too many different words for its kind. */
  sign(): StatusSign | undefined {
    const words = this.#words();
    const filled = words.filter(({ word }) => word !== '');
    if (filled.length === 0) return undefined;
    const hasOwn = filled.some(({ word }) => kindOfCode(this.column, word) !== undefined);
    const isFlag = !hasOwn && filled.every(({ word }) => this.#flag(word) !== undefined);
    // Beside `A` for active, `T` is terminated, `I` inactive, `R` retired, `D` deleted; alone they may be anything.
    const hasCodes = words.some(({ word }) => foldText(word) === 'a');
    const kindOf = (word: string): StatusKind | undefined =>
      hasCodes && /^[tird]$/i.test(word) ? 'ended' : this.#kindOf(word);
    const isAction = this.#kind === 'actions';
    const tells = tellWhoIsThere(words.flatMap(({ word }) => (isWord(word) ? [word] : [])));
    // Add, change, delete; hire, terminate.
    const codes = isAction && words.every(({ word }) => /^[acdhimnrtux]?$/i.test(word)) ? /^[dt]$/i : undefined;
    const gone = words.filter(({ word }) => {
      if (this.#kind === 'units') return (this.column === sheetColumn ? isTitleOfGone : saysGone)(word);
      if (isAction && (codes?.test(word) ?? saysRemoved(word))) return true;
      if ((this.#kind === 'doubtful' || isAction) && !(tells && isWord(word))) return false;
      return isFlag && !this.#isBits ? this.#flag(word) === this.#isInverted : this.#isGone(word, kindOf(word));
    });
    if (gone.length === 0 || (!isFlag && (this.#kind === 'flags' || this.#kind === 'begun'))) return undefined;
    const isKnown = isFlag || this.#isInverted || isAction || this.#kind === 'units';
    const unknown = isKnown ? [] : words.filter(({ word }) => kindOf(word) === undefined && !isAnswer(word));
    const rows = gone.reduce((sum, each) => sum + each.rows, 0);
    const isPart = this.#kind === 'units' && gone.some(({ word }) => /^OU=/i.test(word));
    return { kind: 'status', column: this.column, rows, words: gone, unknown, ...(isPart && { isPart }) };
  }

  /** Whether a cell that is long, or one too many, says that somebody is gone. */
  #isKeptBeside(cell: string): boolean {
    if (cell.length > longestKept || (this.#cells?.size ?? 0) >= mostKept) return false;
    const word = cleanCell(cell);
    if (this.#kind === 'actions') return saysRemoved(word);
    if (this.#kind !== 'sure') return false;
    return this.#isGone(word, this.#kindOf(word));
  }

  #kindOf(word: string): StatusKind | undefined {
    return kindOfCode(this.column, word) ?? statusKind(word);
  }

  /** Whether a word that is no flag says that somebody is not there. */
  #isGone(word: string, kind: StatusKind | undefined): boolean {
    if (this.#isBits) return isDisabled(word);
    if (this.#isInverted && kind === undefined) return saysWhy(word);
    return kind === 'ended' || kind === 'future' || (kind === undefined && this.#isNo(word));
  }

  /** Whether a column of a sure name says no of somebody, among words: `RSVP` with Yes, No, Maybe. */
  #isNo(word: string): boolean {
    return this.#kind === 'sure' && isAnswer(word) && readFlag(word) === this.#isInverted;
  }

  /** Yes or no; what the heading itself says for yes is one too: `Actif O/N`. */
  #flag(word: string): boolean | undefined {
    return this.#yes !== undefined && word.toLowerCase() === this.#yes ? true : readFlag(word);
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

/** The first level of a distinguished name, a comma in it escaped: `CN=Ek\\, Ann,` */
const ownName = /^CN=(?:[^,\\]|\\.)*,/i;

/** Whether a cell of `userAccountControl` has the bit of a disabled account (ADS_UF_ACCOUNTDISABLE). */
const isDisabled = (cell: string): boolean => /^\d{1,10}$/.test(cell) && (Number(cell) & 2) !== 0;

/** Whether a text of a column such as `Termination Reason` says that somebody is gone: any that is no flag, day or placeholder. */
function saysWhy(text: string): boolean {
  return text !== '' && readFlag(text) !== false && !isPlaceholder(text) && typeof readDay(text) === 'object';
}
