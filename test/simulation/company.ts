import { createHash } from 'node:crypto';
import type { RosterFile } from '../../src/roster/roster-file.ts';

/** A person as the HR system knows them. */
export interface Employee {
  id: number;
  first: string;
  last: string;
  email: string;
  department: string;
  /** Departments of further rows of the same person. */
  also: string[];
  /** The first day of work, `YYYY-MM-DD`. */
  starts?: string;
  isGone: boolean;
  /** What the export has lost of them. */
  lost?: 'department' | 'email';
  /** As a column of the HR system says it, where there is one. */
  status: string;
  /** Contractors have them too. */
  isContractor: boolean;
}

/** A change in the HR system. */
export type Change =
  | { change: 'hire'; id: number; department: string; inDays?: number; isContractor?: boolean; domain?: string }
  | { change: 'leave' | 'return' | 'rename' | 'address'; id: number }
  | { change: 'move' | 'second row'; id: number; department: string }
  | { change: 'share'; id: number; with: number }
  /** A cell of theirs is empty in the export, or is there again. */
  | { change: 'lose'; id: number; what: 'department' | 'email' }
  | { change: 'find'; id: number }
  | { change: 'status'; id: number; status: string };

/** What is sent about somebody, as a text: names, address and the set of groups. */
export interface Content {
  id: number;
  key: string;
  first: string;
  last: string;
  email: string;
  groups: string[];
  starts?: string;
}

/** One row of an export. */
export interface ExportRow {
  id: number;
  first: string;
  last: string;
  email: string;
  department: string;
  starts: string;
  status: string;
}

export const departments = ['Sales', 'IT', 'Legal', 'Ops', 'Labs'] as const;

const header = ['Employee ID', 'First Name', 'Last Name', 'Email', 'Department', 'Start'];

/** The people of a company, and how they change. */
export class Company {
  readonly people = new Map<number, Employee>();
  #version = 0;

  apply(change: Change, today: number): void {
    if (change.change === 'hire') return this.#hire(change, today);
    const person = this.people.get(change.id);
    if (!person) return;
    this.#version += 1;
    switch (change.change) {
      case 'leave':
        person.isGone = true;
        break;
      case 'return':
        person.isGone = false;
        break;
      case 'rename':
        person.last = `Last${person.id}v${this.#version}`;
        break;
      case 'address':
        person.email = `Person.${person.id}.v${this.#version}@corp.example`;
        break;
      case 'move':
        person.department = change.department;
        break;
      case 'second row':
        person.also = [change.department];
        break;
      case 'share':
        person.email = this.people.get(change.with)?.email ?? person.email;
        break;
      case 'lose':
        person.lost = change.what;
        break;
      case 'find':
        delete person.lost;
        break;
      case 'status':
        person.status = change.status;
    }
  }

  #hire(change: Extract<Change, { change: 'hire' }>, today: number): void {
    const { id, department, inDays, isContractor = false, domain = 'corp' } = change;
    if (this.people.has(id)) return;
    this.people.set(id, {
      ...{ id, first: `First${id}`, last: `Last${id}`, email: `Person.${id}@${domain}.example`, department, also: [] },
      ...{ isGone: false, isContractor, status: 'Active' },
      ...(inDays !== undefined && { starts: new Date(today + inDays * 86_400_000).toISOString().slice(0, 10) }),
    });
  }

  /** What the HR system would export now for a source. */
  export(source: 'staff' | 'contractors'): ExportRow[] {
    const rows: ExportRow[] = [];
    for (const person of this.people.values()) {
      const { id, first, last, department, also, starts = '', isGone, isContractor, lost, status } = person;
      if (isGone || (source === 'contractors' && !isContractor)) continue;
      const email = lost === 'email' ? '' : person.email;
      const own = lost === 'department' ? [''] : [department, ...also];
      for (const each of own) {
        const name = source === 'contractors' && each !== '' ? `External ${each}` : each;
        rows.push({ id, first, last, email, department: name, starts, status });
      }
    }
    return rows;
  }
}

/** The members that these rows stand for, by what docs/columns.md promises; people who share an address are none. */
export function membersOf(rows: readonly ExportRow[], source: string): Map<string, Content> {
  const byKey = new Map<string, ExportRow[]>();
  for (const row of rows) {
    const key = row.email.toLowerCase();
    byKey.set(key, [...(byKey.get(key) ?? []), row]);
  }
  const members = new Map<string, Content>();
  for (const [key, own] of byKey) {
    const [one] = own;
    if (!one || key === '' || own.some(({ id }) => id !== one.id)) continue;
    const always = source === 'staff' ? ['All staff'] : ['All contractors'];
    const given = own.map(({ department }) => department).filter((group) => group !== '');
    const groups = [...new Set([...given, ...always])];
    const { first, last, email, starts } = one;
    members.set(key, { id: one.id, key, first, last, email, groups, ...(starts !== '' && { starts }) });
  }
  return members;
}

/** A text that is the same for the same content, whatever the order of its groups. */
export function saying({ first, last, email, groups }: Pick<Content, 'first' | 'last' | 'email' | 'groups'>): string {
  return [first, last, email, ...groups.toSorted()].join('|');
}

/** An export as the text of a file. */
export function textOf(rows: readonly ExportRow[]): string {
  return [header, ...cellsOf(rows)].map((each) => `${each.join(',')}\n`).join('');
}

const cellsOf = (rows: readonly ExportRow[]): string[][] =>
  rows.map((row) => [String(1000 + row.id), row.first, row.last, row.email, row.department, row.starts]);

/** What of a roster is not in its rows. */
interface Form {
  name: string;
  /** When its file was written, ms. */
  at: number;
  isUnended: boolean;
  /** It has a column that says who is still there. */
  tellsStatus: boolean;
}

/** An export as a roster that is open. */
export function rosterOf(rows: readonly ExportRow[], { name, at, isUnended, tellsStatus }: Form): RosterFile {
  const cells = cellsOf(rows).map((each, row) => (tellsStatus ? [...each, rows[row]?.status ?? ''] : each));
  const text = cells.map((each) => each.join(',')).join('\n');
  return {
    form: {
      ...{ file: `${name}.csv`, format: 'csv', encoding: 'utf-8', delimiter: ',', newline: '\n', headerLine: 1 },
      ...{ header: tellsStatus ? [...header, 'Status'] : header, notes: [], isUnended },
    },
    sizeBytes: text.length,
    modifiedAt: new Date(at),
    async *batches() {
      for (let from = 0; from < cells.length; from += 5) {
        yield cells
          .slice(from, from + 5)
          .map((each, place) => ({ file: `${name}.csv`, line: from + place + 2, cells: each }));
      }
    },
    checksum: () => createHash('sha256').update(text).digest('hex'),
    close: () => Promise.resolve(),
  };
}
