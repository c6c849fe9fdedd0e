// The rows of contracts that have ended, of people who were employed again.
import type { Day } from '../cells/days.ts';
import { KeyTable, TextSet } from '../hashing/text-set.ts';
import { personKey } from '../person/member.ts';
import type { Reject } from '../rows/row.ts';
import { say } from '../words/say.ts';
import { type FilteredRow, type MappedRow, personOfRow } from './map-row.ts';
import type { Mapping } from './mapping.ts';

/**
 * A row whose last day is past counts where a first day follows it, since somebody who is employed again may keep the last day of
 * before. Of somebody with another contract, which began on that first day and goes on, or ended after it, the row is of one that has
 * ended: so such rows wait until all are read.
 */
export class EndedContracts {
  readonly #mapping: Mapping;
  /** Who has a contract that goes on, with each of its first days. */
  readonly #employed = new TextSet();
  /** Who has one that has ended, and the last day of the last one. */
  readonly #former = new KeyTable();
  readonly #lastDays: Day[] = [];
  readonly #waiting: { mapped: MappedRow; firstDays: Day[] }[] = [];

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  /** Whether what a row becomes is known only at the end. */
  waits(mapped: MappedRow | FilteredRow | Reject): boolean {
    const { employment } = this.#mapping;
    if (!employment || 'reason' in mapped) return false;
    const { cells } = mapped.row;
    const endedOn = employment.endedOn(cells);
    const firstDays = employment.begunOn(cells, endedOn);
    const isBack = endedOn !== undefined && firstDays.length > 0;
    if ('member' in mapped) {
      // The text of a cell keeps its neighbours in memory.
      if (isBack) this.#waiting.push({ mapped: structuredClone(mapped), firstDays });
      else if (mapped.startsOn === undefined)
        for (const day of firstDays) this.#employed.add(`${personKey(mapped.member.email)} ${day}`);
      return isBack;
    }
    if (endedOn !== undefined && !isBack) this.#addFormer(personOfRow(mapped.row, this.#mapping).key ?? '', endedOn);
    return false;
  }

  #addFormer(key: string, endedOn: Day): void {
    if (this.#former.add(key)) this.#lastDays.push(endedOn);
    else {
      const at = this.#former.find(key)!;
      this.#lastDays[at] = Math.max(endedOn, this.#lastDays[at] ?? 0);
    }
  }

  /** What the rows that wait become. */
  settle(): (MappedRow | FilteredRow)[] {
    return this.#waiting.splice(0).map(({ mapped, firstDays }) => {
      const key = personKey(mapped.member.email);
      const lastDay = this.#lastDays[this.#former.find(key) ?? -1] ?? 0;
      const isOver =
        firstDays.every((day) => day <= lastDay) || firstDays.some((day) => this.#employed.has(`${key} ${day}`));
      return isOver ? { row: mapped.row, filtered: say('endedContract', 1) } : mapped;
    });
  }
}
