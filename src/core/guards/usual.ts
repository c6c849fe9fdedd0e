// Counts what a roster looks like while it is read, and computes what the last few of a source usually look like.
import { isPlaceholder } from '../cells/placeholders.ts';
import type { MappedRow } from '../mapping/map-row.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Member } from '../person/member.ts';

/** More domains than this are not told apart; nor are they the mix of a company. */
const mostDomains = 1000;

/** Plain data. */
export interface RosterCensus extends Record<'rows' | 'members' | 'filtered' | 'rejects' | 'new' | 'changed', number> {
  /** Rows whose cells were counted. */
  read: number;
  filled: Record<string, number>;
  /** Rows with an address of each domain. */
  domains: Record<string, number>;
  /** People whom rows give each group; kept of the newest census of a source only. */
  groups: Record<string, number>;
  /** People whom the source knew before; absent in its first run. A lower bound. */
  known?: number;
  /** People who wait for their first day, or for room among the invitations: nobody knows them yet. */
  waiting?: number;
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

/** Whether there is more than space in a cell, and no error of a spreadsheet. Most begin with something else, which is seen without a copy. */
function isFilled(cell: string): boolean {
  const first = cell.charCodeAt(0);
  if (first === 35) return !isPlaceholder(cell.trim());
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

/** The number of days in which a slow loss adds up. */
export const recentDays = 14;

/** The most that the rosters of those days had, and each group in them. */
export type Most = Pick<Usual, 'rows' | 'members' | 'groups'>;

export interface Usual extends Record<'rows' | 'members' | 'filtered' | 'rejects', number> {
  most: Most;
  /** Absent where only the source's first roster is known: that nobody was known then is not usual. */
  new?: number;
  changed?: number;
  /** The share of a column's cells that are not empty, 0 to 1. */
  fill: Record<string, number>;
  /** The share of each domain among the addresses, 0 to 1. */
  domains: Record<string, number>;
  /** People whom the last one gave each group. */
  groups: Record<string, number>;
  /** Columns that said who is not there. */
  tells: string[];
  /** Words by which people are left out, about which a guard has asked. */
  leftOut: readonly string[];
  /** Groups whose slow loss somebody approved. */
  shrinking: readonly string[];
  /** Its files end without a line end. */
  isUnended: boolean;
  /** The source gives other people each time (new starters, say): what is missing or added means nothing. */
  isOfBatches: boolean;
}

export interface ReleasedCensus {
  census: RosterCensus;
  isApproved: boolean;
  /** It was held, and nobody approved all of it: a part that was left out says nothing. */
  isInPart?: boolean;
}

/** Below this share of known people a roster holds others than the ones before it. */
const fewKnown = 0.5;
/** One such roster may be a mistake, two are a habit. */
const habit = 2;

/**
 * The newest first; undefined if there is none. What somebody approved is the new usual: nothing before it counts.
 */
export function usualOf(released: readonly ReleasedCensus[], most?: Most): Usual | undefined {
  const approved = released.findIndex(({ isApproved }) => isApproved);
  const counted = approved === -1 ? released : released.slice(0, approved + 1);
  const all = counted.map(({ census }) => census);
  const [newest] = all;
  if (!newest) return undefined;
  const decided = released.find(({ isInPart }) => isInPart !== true)?.census;
  const later = afterFirst(all);
  const before = knownShares(released.map(({ census }) => census));
  return {
    rows: medianOf(all, ({ rows }) => rows),
    members: medianOf(all, ({ members }) => members),
    most: most ?? newest,
    filtered: medianOf(all, ({ filtered }) => filtered),
    rejects: medianOf(all, ({ rejects }) => rejects),
    ...(later.length > 0 && {
      new: medianOf(later, (census) => census.new),
      changed: medianOf(later, ({ changed }) => changed),
    }),
    fill: sharesOf(all, ({ filled, read }) => ({ parts: filled, whole: read }), newest.filled),
    domains: sharesOf(all, ({ domains }) => ({ parts: domains, whole: sum(domains) })),
    groups: newest.groups,
    tells: [...new Set(all.flatMap(({ tells = [] }) => tells))],
    leftOut: decided?.leftOut ?? [],
    shrinking: decided?.shrinking ?? [],
    isUnended: medianOf(all, ({ isUnended }) => Number(isUnended)) === 1,
    isOfBatches: before.length >= habit && before.every((share) => share < fewKnown),
  };
}

const afterFirst = (all: readonly RosterCensus[]): RosterCensus[] => all.filter(({ known }) => known !== undefined);

/** The shares of people who were known, of the smaller of two rosters: one that only grows has everybody of the one before. */
const knownShares = (all: readonly RosterCensus[]): number[] =>
  all.flatMap((census, at) =>
    census.known === undefined
      ? []
      : census.known / Math.max(1, Math.min(settled(census), settled(all[at + 1] ?? census))),
  );

const settled = ({ members, waiting = 0 }: RosterCensus): number => members - waiting;

function medianOf(all: readonly RosterCensus[], value: (census: RosterCensus) => number): number {
  return median(all.map(value));
}

/** The median; the upper one of an even number, 0 of none. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The median share of each name; of all names, or only of those that `among` has. */
function sharesOf(
  all: readonly RosterCensus[],
  counts: (census: RosterCensus) => { parts: Record<string, number>; whole: number },
  among?: Record<string, number>,
): Record<string, number> {
  const counted = all.map(counts);
  const names = new Set(among ? Object.keys(among) : counted.flatMap(({ parts }) => Object.keys(parts)));
  return Object.fromEntries(
    [...names].map((name) => {
      const having = among ? counted.filter(({ parts }) => Object.hasOwn(parts, name)) : counted;
      return [name, median(having.map(({ parts, whole }) => partOf(parts, name) / Math.max(1, whole)))];
    }),
  );
}

export function partOf(parts: Readonly<Record<string, number>>, name: string): number {
  return Object.hasOwn(parts, name) ? (parts[name] ?? 0) : 0;
}

export function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0);
}
