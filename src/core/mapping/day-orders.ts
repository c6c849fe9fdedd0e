// Notices that days are written in the other order than settings say.
import { readDay } from '../cells/days.ts';
import { shownText } from '../text/format.ts';
import { say } from '../words/say.ts';

/** So many cells may be slips. */
const mostSlips = 2;

export class DayOrders {
  readonly #seen = new Map<string, { order: 'dmy' | 'mdy'; own: number; other: number }>();

  /** A cell of a column whose days are read in an order that somebody has set. */
  note(column: string, cell: string, order: 'dmy' | 'mdy' | undefined): void {
    if (order === undefined || cell === '') return;
    const [own, other] = [readDay(cell, order), readDay(cell, order === 'dmy' ? 'mdy' : 'dmy')];
    if (typeof own === typeof other) return;
    const seen = this.#seen.get(column) ?? { order, own: 0, other: 0 };
    seen[typeof own === 'number' ? 'own' : 'other'] += 1;
    this.#seen.set(column, seen);
  }

  /** Of a column in which most cells that leave no doubt are days only in the other order, and not by a slip: the rest would be read wrongly. */
  problem(): string | undefined {
    const found = [...this.#seen].find(([, { own, other }]) => other > Math.max(own, mostSlips));
    if (!found) return undefined;
    const [column, { order, other }] = found;
    const [set, written] = order === 'dmy' ? ['dmy', 'mdy'] : ['mdy', 'dmy'];
    return say('swappedDays', other, { column: shownText(column), set, written });
  }
}
