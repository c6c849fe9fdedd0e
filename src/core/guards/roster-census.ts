// Counts what a roster looks like while it is read; memory grows with its groups only.
import type { MappedRow } from '../mapping/map-row.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Member } from '../person/member.ts';

/** More domains than this are not told apart; nor are they the mix of a company. */
const mostDomains = 1000;

/** Plain data. */
export interface RosterCensus {
  rows: number;
  members: number;
  filtered: number;
  rejects: number;
  new: number;
  changed: number;
  /** Rows whose cells were counted. */
  read: number;
  filled: Record<string, number>;
  /** Rows with an address of each domain. */
  domains: Record<string, number>;
  /** People whom rows give each group; kept of the newest census of a source only. */
  groups: Record<string, number>;
  /** People whom the source knew before; absent in its first run. A lower bound. */
  known?: number;
  /** Columns that said who is not there, or by which rules judge that. */
  tells?: string[];
  /** What status columns said about people who were left out though no rule names it, in the form of `leftOutKeys`: a guard has asked. */
  leftOut?: string[];
  /** Groups about whose slow loss a guard has asked. */
  shrinking?: string[];
  /** The file's last line has no line end. */
  isUnended: boolean;
}

export class CensusTaker {
  readonly #columns: { name: string; index: number; filled: number }[];
  readonly #domains = new Map<string, Count>();
  readonly #groups = new Map<string, Count>();
  #last: Count = { name: '', rows: 0 };
  #read = 0;

  constructor(mapping: Mapping) {
    const named = new Map(mapping.read.map(({ name, index }) => [name, { name, index, filled: 0 }]));
    this.#columns = [...named.values()];
  }

  row(cells: readonly string[]): void {
    this.#read += 1;
    for (const column of this.#columns) {
      const cell = cells[column.index];
      if (cell !== undefined && isFilled(cell)) column.filled += 1;
    }
  }

  member({ member: { email, groups } }: MappedRow): void {
    const { name } = this.#last;
    if (name !== '' && email.endsWith(name) && email.at(-name.length - 1) === '@') this.#last.rows += 1;
    else this.#countDomain(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
    for (const group of groups) countOne(this.#groups, group);
  }

  #countDomain(domain: string): void {
    if (this.#domains.has(domain) || this.#domains.size < mostDomains) this.#last = countOne(this.#domains, domain);
  }

  /** Takes several rows as those of one person, each of which was taken as a member: a group of many of them counts once. */
  unite(rows: readonly { member: Pick<Member, 'groups'> }[]): void {
    const given = new Set<string>();
    for (const group of rows.flatMap(({ member }) => member.groups)) {
      const count = given.has(group) ? this.#groups.get(group) : undefined;
      if (count) count.rows -= 1;
      given.add(group);
    }
  }

  /** The groups that rows gave so far. */
  groups(): string[] {
    return [...this.#groups.keys()];
  }

  counted(): Pick<RosterCensus, 'read' | 'filled' | 'domains' | 'groups'> {
    return {
      read: this.#read,
      filled: Object.fromEntries(this.#columns.map(({ name, filled }) => [name, filled])),
      domains: rowsOf(this.#domains),
      groups: rowsOf(this.#groups),
    };
  }
}

/** Whether there is more than space in a cell. Most begin with something else, which is seen without a copy. */
function isFilled(cell: string): boolean {
  const first = cell.charCodeAt(0);
  return (first > 32 && first < 127) || cell.trim() !== '';
}

/** How many rows have a name. It is counted in place, since a map is searched again for each number that is put into it. */
interface Count {
  name: string;
  rows: number;
}

function countOne(counts: Map<string, Count>, name: string): Count {
  let count = counts.get(name);
  if (count === undefined) {
    count = { name: Buffer.from(name).toString(), rows: 0 };
    counts.set(count.name, count);
  }
  count.rows += 1;
  return count;
}

const rowsOf = (counts: ReadonlyMap<string, Count>): Record<string, number> =>
  Object.fromEntries([...counts].map(([name, { rows }]) => [name, rows]));
