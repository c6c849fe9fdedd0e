// Counts what a mapping makes of rows: people, filtered rows, rejects, groups.
import { defined } from '../defined.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type FilteredRow, type MappedRow, mapRow } from '../mapping/map-row.ts';
import { personKey } from '../person/member.ts';
import { mergeRows, type PersonRow } from '../person/merge.ts';
import { isReject, type Reject, type Row } from '../rows/row.ts';
import type { Census, Tally } from './census.ts';

/** More people than this are not compared with each other: memory must not grow with the roster. */
const mostPeople = 200_000;
/** Further rows of one person are only counted. */
const mostRows = 100;
const mostKinds = 1000;

export class RowCensus {
  readonly #mapping: Mapping;
  readonly #filtered = new Map<string, Tally>();
  readonly #rejects = new Map<string, Tally>();
  readonly #groups = new Map<string, number>();
  readonly #people = new Map<string, { rows: PersonRow[]; count: number }>();
  #rows = 0;
  #used = 0;

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  add(row: Row | Reject): MappedRow | FilteredRow | Reject {
    this.#rows += 1;
    const result = isReject(row) ? row : mapRow(row, this.#mapping);
    if ('reason' in result) tally(this.#rejects, sayAlike(result), result);
    else if ('filtered' in result) tally(this.#filtered, result.filtered, row);
    else this.#addMember(result);
    return result;
  }

  #addMember({ row, member, employeeId }: MappedRow): void {
    this.#used += 1;
    const key = personKey(member.email);
    const known = this.#people.get(key);
    if (known && ++known.count > mostRows) return;
    for (const group of member.groups) {
      if (!known?.rows.some((other) => other.member.groups.includes(group))) {
        this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
      }
    }
    if (!known && this.#people.size >= mostPeople) return;
    const { file, line } = row;
    const person: PersonRow = { file, line, member, ...defined({ employeeId }) };
    if (known) known.rows.push(person);
    else this.#people.set(key, { rows: [person], count: 1 });
  }

  result(): Census {
    let [members, merged] = [this.#used, 0];
    for (const { rows, count } of this.#people.values()) {
      if (count === 1) continue;
      members -= count;
      const judged = mergeRows(rows, this.#mapping.emailColumn);
      if (Array.isArray(judged)) {
        for (const reject of judged) tally(this.#rejects, 'several people share an address', reject);
        this.#withdraw(rows);
      } else {
        members += 1;
        merged += count - 1;
      }
    }
    return {
      rows: this.#rows,
      members,
      merged,
      filtered: byCount(this.#filtered),
      rejects: byCount(this.#rejects),
      groups: [...this.#groups]
        .filter(([, people]) => people > 0)
        .map(([group, people]) => ({ group, people }))
        .toSorted((a, b) => b.people - a.people || (a.group < b.group ? -1 : 1)),
      isMergedCounted: this.#people.size < mostPeople,
    };
  }

  /** The groups of people who turned out to be rejects. */
  #withdraw(rows: readonly PersonRow[]): void {
    for (const group of new Set(rows.flatMap(({ member }) => member.groups))) {
      this.#groups.set(group, (this.#groups.get(group) ?? 1) - 1);
    }
  }
}

/** A reject without what is this row's own: rows rejected alike say the same. */
export function sayAlike({ column, reason }: Pick<Reject, 'column' | 'reason'>): string {
  const alike = reason.replace(/"[^"]*"/g, '…').replace(/\b\d+\b/g, '…');
  return column === '' || reason.includes(column) ? alike : `${column}: ${alike}`;
}

function tally(tallies: Map<string, Tally>, what: string, { file, line }: Row): void {
  const kind = tallies.size < mostKinds || tallies.has(what) ? what : 'other reasons';
  const known = tallies.get(kind);
  if (known) known.count += 1;
  else tallies.set(kind, { what: kind, count: 1, file, line });
}

function byCount(tallies: ReadonlyMap<string, Tally>): Tally[] {
  return [...tallies.values()].toSorted((a, b) => b.count - a.count);
}
