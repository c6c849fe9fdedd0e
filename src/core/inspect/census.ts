// What a mapping makes of rows, counted and shown: `rows = members + merged + filtered + rejects`.
import { z } from 'zod';
import { each } from '../../data/described.ts';
import { defined } from '../defined.ts';
import { EndedContracts } from '../mapping/ended-contracts.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type FilteredRow, type MappedRow, mapRow, personOfRow } from '../mapping/map-row.ts';
import { personKey, mergeRows, type PersonRow } from '../person/member.ts';
import { isReject, type Reject, type Row } from '../rows/row.ts';
import type { Day } from '../cells/days.ts';
import { NamesInFile } from './names-in-file.ts';

const count = z.int().min(0);

const Tally = z.object({ what: z.string(), count, file: z.string(), line: z.int() });
export type Tally = z.output<typeof Tally>;

export const Census = z.object({
  ...each(count, 'rows', 'members', 'merged'),
  ...each(z.array(Tally), 'filtered', 'rejects'),
  groups: z.array(z.object({ group: z.string(), people: count })),
  /** False where there are too many people to find those who stand on several rows. */
  isMergedCounted: z.boolean(),
});
export type Census = z.output<typeof Census>;

/** More people than this, or groups of them, are not compared with each other: memory must not grow with the roster. */
const mostPeople = 200_000;
const mostMemberships = 5_000_000;
/** Further rows of one person are only counted. */
const mostRows = 100;
const mostKinds = 1000;

export class RowCensus {
  readonly #mapping: Mapping;
  readonly #filtered = new Map<string, Tally>();
  readonly #rejects = new Map<string, Tally>();
  readonly #groups = new Map<string, number>();
  /** The rows of somebody with another name or employee id than those before, how many there are in all, and what all give. */
  readonly #people = new Map<string, { rows: PersonRow[]; count: number; groups: string[] }>();
  #kept = 0;
  #memberships = 0;
  /** What the names of groups became, as far as rows have been added and, of people on several rows, counted. */
  readonly names = new NamesInFile();
  readonly #ended: EndedContracts;
  #rows = 0;
  #used = 0;

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
    this.#ended = new EndedContracts(mapping);
  }

  add(row: Row | Reject): MappedRow | FilteredRow | Reject {
    this.#rows += 1;
    const { names } = this.#mapping;
    names.heard = this.names.heard;
    const result = isReject(row) ? row : mapRow(row, this.#mapping);
    if ('reason' in result) {
      tally(this.#rejects, sayAlike(result), result);
      this.names.reject(() => personOfRow(row, this.#mapping).key);
    } else if ('member' in result) this.names.add(personKey(result.member.email));
    if (!this.#ended.waits(result)) this.#count(result);
    return result;
  }

  #count(result: MappedRow | FilteredRow | Reject): void {
    if ('filtered' in result) tally(this.#filtered, result.filtered, result.row);
    else if ('member' in result) this.#addMember(result);
  }

  #addMember({ row, member, employeeId }: MappedRow): void {
    this.#used += 1;
    const key = personKey(member.email);
    const known = this.#people.get(key);
    if (known && ++known.count > mostRows) return;
    const groups = member.groups.filter((group) => !known?.groups.includes(group));
    for (const group of groups) this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
    if (this.#isFull) return;
    const { firstname, lastname } = member;
    const isLike = (other: PersonRow): boolean =>
      other.employeeId === employeeId && other.member.firstname === firstname && other.member.lastname === lastname;
    const { file, line } = row;
    const rows = known?.rows.some(isLike) ? [] : [{ file, line, member, ...defined({ employeeId }) }];
    this.#kept += rows.length;
    this.#memberships += groups.length;
    known?.rows.push(...rows);
    known?.groups.push(...groups);
    if (!known) this.#people.set(key, { rows, count: 1, groups });
  }

  get #isFull(): boolean {
    return this.#kept >= mostPeople || this.#memberships >= mostMemberships;
  }

  result(): Census {
    for (const each of this.#ended.settle()) this.#count(each);
    let [members, merged] = [this.#used, 0];
    for (const { rows, count, groups } of this.#people.values()) {
      if (count === 1) continue;
      members -= count;
      const judged = mergeRows(rows, this.#mapping.emailColumn);
      if (Array.isArray(judged)) {
        const [reject] = judged;
        if (reject) tally(this.#rejects, 'several people share an address', reject, count);
        this.#withdraw(reject?.value ?? '', groups);
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
      isMergedCounted: !this.#isFull,
    };
  }

  /** The groups of people who turned out to be rejects. */
  #withdraw(email: string, groups: readonly string[]): void {
    this.names.withdraw(personKey(email));
    for (const group of groups) this.#groups.set(group, (this.#groups.get(group) ?? 1) - 1);
  }
}

/** A reject without what is this row's own: rows rejected alike say the same. */
export function sayAlike({ column, reason }: Pick<Reject, 'column' | 'reason'>): string {
  const alike = reason.replace(/"[^"]*"/g, '…').replace(/\b\d+\b/g, '…');
  return column === '' || reason.includes(column) ? alike : `${column}: ${alike}`;
}

function tally(tallies: Map<string, Tally>, what: string, { file, line }: Pick<Row, 'file' | 'line'>, rows = 1): void {
  const kind = tallies.size < mostKinds || tallies.has(what) ? what : 'other reasons';
  const known = tallies.get(kind);
  if (known) known.count += rows;
  else tallies.set(kind, { what: kind, count: rows, file, line });
}

function byCount(tallies: ReadonlyMap<string, Tally>): Tally[] {
  return [...tallies.values()].toSorted((a, b) => b.count - a.count);
}

export type Examined = ReturnType<Examiner['result']>;

/** A row that a filter leaves out: whose it is, where it stands, and what the filter says. */
export interface LeftOutRow {
  name: string;
  email: string;
  why: string;
  file: string;
  line: number;
}

const mostNames = 4;
const mostLeftOut = 3;
/** Names kept to choose from; each has a letter that none before it has. */
const mostKept = 200;

export class Examiner {
  readonly #mapping: Mapping;
  readonly #census: RowCensus;
  readonly #letters = new Set<string>();
  readonly #odd: string[] = [];
  readonly #first: string[] = [];
  readonly #leftOut = new Map<string, string[]>();
  /** How many people start later, and from when to when; absent where nobody does. */
  #later: { people: number; from: Day; to: Day } | undefined;

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
    this.#census = new RowCensus(mapping);
  }

  /** What the row becomes. */
  add(row: Row | Reject): MappedRow | FilteredRow | Reject {
    const result = this.#census.add(row);
    if ('reason' in result) return result;
    if ('filtered' in result) {
      const names = this.#leftOut.get(result.filtered) ?? [];
      if (names.length < mostLeftOut) this.#leftOut.set(result.filtered, [...names, nameInRow(this.#mapping, row)]);
      return result;
    }
    const { member, startsOn } = result;
    this.#addName(`${member.firstname} ${member.lastname}`);
    if (startsOn === undefined) return result;
    const { people = 0, from = startsOn, to = startsOn } = this.#later ?? {};
    this.#later = { people: people + 1, from: Math.min(from, startsOn), to: Math.max(to, startsOn) };
    return result;
  }

  result() {
    const odd = this.#odd.toSorted((one, other) => oddLetters(other).length - oddLetters(one).length);
    const names = [...new Set([...odd, ...this.#first])].slice(0, mostNames);
    return {
      census: this.#census.result(),
      named: this.#census.names.list(),
      names,
      /** The first names of those whom each filter leaves out, by its words. */
      leftOut: this.#leftOut,
      ...defined({ later: this.#later }),
    };
  }

  #addName(name: string): void {
    if (this.#first.length < mostNames) this.#first.push(copyOf(name));
    const odd = oddLetters(name).filter((letter) => !this.#letters.has(letter));
    if (odd.length === 0 || this.#odd.length >= mostKept) return;
    for (const letter of odd) this.#letters.add(letter);
    this.#odd.push(copyOf(name));
  }
}

/** The name in a row that is nobody's member, at most 100 characters; its line where it has none. */
export function nameInRow({ fields }: Pick<Mapping, 'fields'>, { cells, line }: Row): string {
  const { firstname, lastname, fullname, email } = fields;
  const whole = fullname && (cells[fullname.column.index] ?? '').trim();
  const parts = [firstname?.read(cells) ?? '', lastname?.read(cells) ?? ''].join(' ').trim();
  return copyOf([parts, whole, email?.read(cells)].find((text) => text) ?? `line ${line}`);
}

/** Letters that are not the same in every encoding. */
function oddLetters(text: string): string[] {
  return [...new Set(text)].filter((letter) => letter > '\u007f');
}

/** The text of a cell keeps its neighbours in memory. */
const copyOf = (text: string): string => structuredClone(text.slice(0, 100));
