// Collects what the presence columns say while a roster is read.
import { listColumns } from '../../columns/columns.ts';
import type { Day } from '../../cells/days.ts';
import { isRejectColumn } from '../../rows/row.ts';
import { DayTally } from './day-tally.ts';
import { isInvertedName, presenceColumns } from './presence-columns.ts';
import { endedSaid, type Sign, unknownStatus, unreadableDays } from './sign.ts';
import { StatusTally } from './status-tally.ts';

interface PresenceTakerOptions {
  today?: Day;
  except?: readonly number[];
  settled?: ReadonlySet<number>;
}

/** Only columns with a fitting name are checked, and no cell is kept: memory does not grow with the rows. */
export class PresenceTaker {
  readonly #columns: { index: number; tally: StatusTally | DayTally; isQuiet?: boolean }[];

  /**
   * @param today without it no day is past or to come
   * @param except columns that are asked about already: a first day that people wait for, groups, of which only names such as
   *   `Leavers` are asked about
   * @param settled columns whose cells the rules judge
   */
  constructor(header: readonly string[], { today, except = [], settled = new Set() }: PresenceTakerOptions = {}) {
    const columns = listColumns(header).filter(({ name, index }) => !isRejectColumn(name) && !settled.has(index));
    const { status, statusOrElse, units, end, start } = presenceColumns(columns);
    const groups = columns.filter(({ index }) => except.includes(index) && index !== start?.index);
    this.#columns = [
      ...status.map(({ index, name }) => ({ index, tally: new StatusTally(name) })),
      ...statusOrElse
        .filter(({ index }) => !except.includes(index))
        .map(({ index, name }) => ({ index, tally: new StatusTally(name, 'doubtful') })),
      ...[...new Set([...units, ...groups])].map(({ index, name }) => ({
        index,
        tally: new StatusTally(name, 'units'),
      })),
      ...end.map(({ index, name }) => ({ index, tally: new StatusTally(name, 'flags') })),
    ];
    if (today === undefined) return;
    for (const { index, name } of end) this.#columns.push({ index, tally: new DayTally('end', name, today) });
    // A column such as `Left` may hold the day. Its other texts are no days that cannot be read.
    for (const { index, name } of status.filter(({ name }) => isInvertedName(name)))
      this.#columns.push({ index, tally: new DayTally('end', name, today), isQuiet: true });
    if (start && !except.includes(start.index))
      this.#columns.push({ index: start.index, tally: new DayTally('start', start.name, today) });
  }

  row(cells: readonly string[]): void {
    for (const { index, tally } of this.#columns) tally.add(cells[index] ?? '');
  }

  get hasColumns(): boolean {
    return this.#columns.some(({ tally, isQuiet }) => {
      if (isQuiet) return tally.sign() !== undefined;
      return tally instanceof DayTally || tally.isUnderstood;
    });
  }

  /** What is not understood of people who are sent, each as one sentence without its full stop. */
  remarks(): string[] {
    return this.#columns.flatMap(({ tally, isQuiet }) => {
      if (tally instanceof DayTally)
        return tally.unreadable.rows > 0 && !isQuiet ? [unreadableDays(tally.column, tally.unreadable)] : [];
      if (tally.sign()) return [];
      const [unknown, ended] = [tally.unknown(), tally.mentioned()];
      if (ended.length > 0) return [endedSaid(tally.column, ended)];
      return unknown.length > 0 ? [unknownStatus(tally.column, unknown)] : [];
    });
  }

  signs(): Sign[] {
    const all = { dmy: 0, mdy: 0 };
    for (const { tally } of this.#columns) {
      if (!(tally instanceof DayTally)) continue;
      all.dmy += tally.bad.dmy;
      all.mdy += tally.bad.mdy;
    }
    return this.#columns.flatMap(({ tally }) => (tally instanceof DayTally ? tally.sign(all) : tally.sign()) ?? []);
  }
}
