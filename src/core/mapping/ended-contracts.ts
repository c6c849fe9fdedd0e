// The rows of contracts that have ended, of people who were employed again.
import type { Day } from '../cells/days.ts';
import { TextSet } from '../hashing/text-set.ts';
import { personKey } from '../person/member.ts';
import type { Reject } from '../rows/row.ts';
import { say } from '../words/say.ts';
import { type FilteredRow, type MappedRow, personOfRow } from './map-row.ts';
import type { Mapping } from './mapping.ts';

/**
 * A row whose last day is past counts where a first day follows it, since somebody who is employed again may keep the last day of
 * before. Of somebody with the contract that began on that first day, whether it goes on or has ended, the row is of one that ended
 * before: so such rows wait until all are read.
 */
export class EndedContracts {
  readonly #mapping: Mapping;
  /** Who has a contract that goes on, with all of its first days. */
  readonly #goingOn = new TextSet();
  /** Who has one that has ended, with the last first day before its end: others may be of the person. */
  readonly #ended = new TextSet();
  readonly #waiting: { mapped: MappedRow; key: string; since: Day[] }[] = [];

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  /** Whether what a row becomes is known only at the end. */
  waits(mapped: MappedRow | FilteredRow | Reject): boolean {
    const { employment } = this.#mapping;
    if (!employment || 'startsOn' in mapped) return false;
    const row = 'row' in mapped ? mapped.row : mapped;
    // What the source itself voids was never so.
    if (row.leftOut !== undefined) return false;
    const { cells } = row;
    const key = 'member' in mapped ? personKey(mapped.member.email) : (personOfRow(row, this.#mapping).key ?? '');
    const [endedOn, begunOn] = [employment.endedOn(cells), employment.begunOn(cells)];
    // Also where it is left out for another reason, or rejected.
    if (endedOn === undefined) {
      for (const day of begunOn) this.#goingOn.add(`${key} ${day}`);
      return false;
    }
    const own = begunOn.filter((day) => day <= endedOn);
    if (own.length > 0) this.#ended.add(`${key} ${Math.max(...own)}`);
    const since = 'member' in mapped ? employment.begunOn(cells, endedOn) : [];
    if (since.length === 0 || !('member' in mapped)) return false;
    // The text of a cell keeps its neighbours in memory.
    this.#waiting.push(structuredClone({ mapped, key, since }));
    return true;
  }

  /** What the rows that wait become. */
  settle(): (MappedRow | FilteredRow)[] {
    return this.#waiting.splice(0).map(({ mapped, key, since }) => {
      const isOver =
        since.some((day) => this.#goingOn.has(`${key} ${day}`)) || this.#ended.has(`${key} ${Math.max(...since)}`);
      return isOver ? { row: mapped.row, filtered: say('endedContract', 1) } : mapped;
    });
  }
}
