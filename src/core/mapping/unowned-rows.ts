// Collects rejected rows that have no address: whose groups they hide is known by a name, or not at all.
import { cleanCell } from '../cells/read-cell.ts';
import type { Reject } from '../rows/row.ts';
import type { Mapping } from './mapping.ts';
import { Remarks } from './mapping-remarks.ts';
import { readName } from './read-name.ts';

/** More names are not told apart: such rows may be anybody's. */
const mostNames = 10_000;

/** Rejected rows without an address, and what a call with `forceSync` must not take away for them. */
export class UnownedRows {
  /** First and last names on them. */
  readonly names: (readonly [first: string, last: string])[] = [];
  /** Those without an employee id, a name, or both names of theirs: how many, and the line of the first. */
  rows = 0;
  line = 0;
  readonly #mapping: Mapping;
  /** The line of the first one with each employee id, which says whose it is unless several people have it. */
  readonly #ofId = new Map<string, number>();

  constructor(mapping: Mapping) {
    // What is odd of these names was noticed when the row was mapped.
    this.#mapping = { ...mapping, remarks: new Remarks(mapping.names, mapping.noValues) };
  }

  /** A row without an address. `isUnread`: its cells may not be in the columns of the header. */
  add(reject: Reject, isUnread: boolean): void {
    const name = readName(reject, this.#mapping);
    const isNamed = !isUnread && !('reason' in name) && this.names.length < mostNames;
    if (isNamed) this.names.push([name.firstname, name.lastname]);
    else if (isUnread || this.#mayGiveGroups(reject)) {
      if (reject.employeeId === undefined) this.#count(reject.line);
      else if (this.#ofId.size < mostNames) this.#ofId.set(reject.employeeId, reject.line);
    }
  }

  /** Several people have each of these employee ids. */
  addShared(ids: readonly string[]): void {
    for (const id of ids) {
      const line = this.#ofId.get(id);
      if (line !== undefined) this.#count(line);
    }
  }

  #count(line: number): void {
    if (this.rows === 0) this.line = line;
    this.rows += 1;
  }

  /** Not a heading or a footer, which is a text alone. */
  #mayGiveGroups({ cells, missing }: Reject): boolean {
    const filled = new Set([...cells.keys()].filter((at) => cleanCell(cells[at] ?? '') !== ''));
    const columns = this.#mapping.groups.flatMap((group) => [...group.columns, ...(group.asked ?? [])]);
    return filled.size > 1 && columns.some(({ index }) => missing?.has(index) || filled.has(index));
  }
}
