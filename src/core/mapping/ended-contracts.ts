// The rows of contracts that have ended, of people who were employed again.
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
  /** Whose contracts began when. */
  readonly #begun = new TextSet();
  readonly #waiting: { mapped: MappedRow; since: string[] }[] = [];

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  /** Whether what a row becomes is known only at the end. */
  waits(mapped: MappedRow | FilteredRow | Reject): boolean {
    const { employment } = this.#mapping;
    if (!employment || 'reason' in mapped || ('filtered' in mapped && !mapped.isPast)) return false;
    const { cells } = mapped.row;
    const key = 'member' in mapped ? personKey(mapped.member.email) : personOfRow(mapped.row, this.#mapping).key;
    const endedOn = employment.endedOn(cells);
    const starts = 'startsOn' in mapped ? [] : employment.begunOn(cells);
    for (const day of starts) if (endedOn === undefined || day <= endedOn) this.#begun.add(`${key} ${day}`);
    if (endedOn === undefined || 'filtered' in mapped) return false;
    const since = employment.begunOn(cells, endedOn).map((day) => `${key} ${day}`);
    // The text of a cell keeps its neighbours in memory.
    if (since.length > 0) this.#waiting.push({ mapped: structuredClone(mapped), since });
    return since.length > 0;
  }

  /** What the rows that wait become. */
  settle(): (MappedRow | FilteredRow)[] {
    return this.#waiting.splice(0).map(({ mapped, since }) => {
      const isOver = since.some((begun) => this.#begun.has(begun));
      return isOver ? { row: mapped.row, filtered: say('endedContract', 1) } : mapped;
    });
  }
}
