// Counts the past last days and the future first days of a column.
import { cleanCell } from '../../cells/clean-cell.ts';
import { type Day, readDay } from '../../cells/days.ts';
import { readFlag } from '../../cells/yes-or-no.ts';
import type { DaySign } from './sign.ts';

/** The number of different cells remembered, so that each is understood once. */
const mostKept = 4096;
/** So many cells that are no days are shown. */
const mostShown = 3;

/** In which of the two orders of day and month a cell gives a day that counts, and in which it cannot be read. */
interface Reading {
  counts: { dmy: boolean; mdy: boolean };
  bad: { dmy: boolean; mdy: boolean };
  isAmbiguous: boolean;
}

export interface OrderCounts {
  dmy: number;
  mdy: number;
}

export class DayTally {
  readonly #kind: DaySign['kind'];
  readonly column: string;
  readonly #today: Day;
  readonly #known = new Map<string, Reading>();
  readonly #found = { dmy: 0, mdy: 0 };
  readonly #bad = { dmy: 0, mdy: 0 };
  readonly #unreadable = { rows: 0, texts: new Set<string>() };
  #filled = 0;
  #ambiguous = 0;

  constructor(kind: DaySign['kind'], column: string, today: Day) {
    this.#kind = kind;
    this.column = column;
    this.#today = today;
  }

  add(cell: string): void {
    if (cell === '') return;
    const { counts, bad, isAmbiguous } = this.#read(cell);
    this.#filled += 1;
    if (isAmbiguous) this.#ambiguous += 1;
    for (const order of ['dmy', 'mdy'] as const) {
      if (counts[order]) this.#found[order] += 1;
      if (bad[order]) this.#bad[order] += 1;
    }
    if (!bad.dmy || !bad.mdy || readFlag(cell) !== undefined) return;
    this.#unreadable.rows += 1;
    if (this.#unreadable.texts.size < mostShown) this.#unreadable.texts.add(Buffer.from(cell).toString());
  }

  /** Rows whose cell is no day in any order, and some of these cells. */
  get unreadable(): { rows: number; texts: ReadonlySet<string> } {
    return this.#unreadable;
  }

  /** The cells that are no days in each of the two orders of day and month. */
  get bad(): Readonly<OrderCounts> {
    return this.#bad;
  }

  /**
   * Undefined if nobody has left by it, or not begun, or most cells are no days. `all`: what is no day in any column.
   */
  sign(all: Readonly<OrderCounts> = this.#bad): DaySign | undefined {
    // Of two orders the likelier one is that in which more cells can be days, else that by which more people are left out.
    const bad = this.#bad.dmy === this.#bad.mdy ? all : this.#bad;
    const isGuess = bad.dmy === bad.mdy;
    const by = isGuess ? { dmy: -this.#found.dmy, mdy: -this.#found.mdy } : bad;
    const order = by.dmy < by.mdy ? 'dmy' : 'mdy';
    const rows = this.#found[order];
    if (rows === 0 || this.#bad[order] * 2 > this.#filled) return undefined;
    const ambiguous = this.#ambiguous > 0 && ({ order, ...(isGuess && { isGuess }) } as const);
    return { kind: this.#kind, column: this.column, rows, ...ambiguous };
  }

  #read(cell: string): Reading {
    const known = this.#known.get(cell);
    if (known) return known;
    const text = cleanCell(cell);
    const [dmy, mdy] = [readDay(text, 'dmy'), readDay(text, 'mdy')];
    const reading: Reading = {
      counts: { dmy: this.#isCounted(dmy), mdy: this.#isCounted(mdy) },
      bad: { dmy: typeof dmy === 'object', mdy: typeof mdy === 'object' },
      isAmbiguous: typeof readDay(text) === 'object' && (typeof dmy === 'number' || typeof mdy === 'number'),
    };
    // A copy: a part of a text would keep all of it in memory.
    if (this.#known.size < mostKept) this.#known.set(Buffer.from(cell).toString(), reading);
    return reading;
  }

  #isCounted(day: ReturnType<typeof readDay>): boolean {
    if (typeof day !== 'number') return false;
    return this.#kind === 'end' ? day < this.#today : day > this.#today;
  }
}
