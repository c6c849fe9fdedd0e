// Collects what the presence columns say while a roster is read.
import { listColumns } from '../../columns/columns.ts';
import type { Day } from '../../cells/days.ts';
import { isRejectColumn } from '../../rows/row.ts';
import { DayTally } from './day-tally.ts';
import { presenceColumns } from './presence-columns.ts';
import { type Sign, unknownStatus, unreadableDays } from './sign.ts';
import { StatusTally } from './status-tally.ts';

/**
 * Collects, while a roster is read, what its columns say about people who have left, are disabled, or have not started.
 * Only columns with a fitting name are checked, and no cell is kept: memory does not grow with the rows.
 */
export class PresenceTaker {
  readonly #columns: { index: number; tally: StatusTally | DayTally }[];

  /**
   * @param today without it no day is past or to come
   * @param except columns that are asked about already: a first day that people wait for, groups
   */
  constructor(header: readonly string[], { today, except = [] }: { today?: Day; except?: readonly number[] } = {}) {
    const { status, statusOrElse, end, start } = presenceColumns(
      listColumns(header).filter(({ name }) => !isRejectColumn(name)),
    );
    this.#columns = [
      ...status.map(({ index, name }) => ({ index, tally: new StatusTally(name) })),
      ...statusOrElse
        .filter(({ index }) => !except.includes(index))
        .map(({ index, name }) => ({ index, tally: new StatusTally(name, 'doubtful') })),
      ...end.map(({ index, name }) => ({ index, tally: new StatusTally(name, 'flags') })),
    ];
    if (today === undefined) return;
    for (const { index, name } of end) this.#columns.push({ index, tally: new DayTally('end', name, today) });
    if (start && !except.includes(start.index))
      this.#columns.push({ index: start.index, tally: new DayTally('start', start.name, today) });
  }

  /** Takes the row of somebody who would be sent. */
  row(cells: readonly string[]): void {
    for (const { index, tally } of this.#columns) tally.add(cells[index] ?? '');
  }

  /** Whether there is a column that could say who is there. */
  get hasColumns(): boolean {
    return this.#columns.some(({ tally }) => tally instanceof DayTally || tally.isUnderstood);
  }

  /** What is not understood of people who are sent, each as one sentence without its full stop. */
  remarks(): string[] {
    return this.#columns.flatMap(({ tally }) => {
      if (tally instanceof DayTally)
        return tally.unreadable.rows > 0 ? [unreadableDays(tally.column, tally.unreadable)] : [];
      const [unknown, sign] = [tally.unknown(), tally.sign()];
      return unknown.length > 0 && sign === undefined ? [unknownStatus(tally.column, unknown)] : [];
    });
  }

  /** What was found. */
  signs(): Sign[] {
    return this.#columns.flatMap(({ tally }) => tally.sign() ?? []);
  }
}
