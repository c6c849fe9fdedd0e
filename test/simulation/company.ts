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
  /** Contractors have them too. */
  isContractor: boolean;
}

/** A change in the HR system. */
export type Change =
  | { change: 'hire'; id: number; department: string; inDays?: number; isContractor?: boolean }
  | { change: 'leave' | 'return' | 'rename' | 'address'; id: number }
  | { change: 'move' | 'second row'; id: number; department: string }
  | { change: 'share'; id: number; with: number };

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
    }
  }

  #hire({ id, department, inDays, isContractor = false }: Extract<Change, { change: 'hire' }>, today: number): void {
    if (this.people.has(id)) return;
    this.people.set(id, {
      ...{ id, first: `First${id}`, last: `Last${id}`, email: `Person.${id}@corp.example`, department, also: [] },
      ...{ isGone: false, isContractor },
      ...(inDays !== undefined && { starts: new Date(today + inDays * 86_400_000).toISOString().slice(0, 10) }),
    });
  }

  /** What the HR system would export now for a source. */
  export(source: 'staff' | 'contractors'): ExportRow[] {
    const rows: ExportRow[] = [];
    for (const {
      id,
      first,
      last,
      email,
      department,
      also,
      starts = '',
      isGone,
      isContractor,
    } of this.people.values()) {
      if (isGone || (source === 'contractors' && !isContractor)) continue;
      const own = source === 'staff' ? [department, ...also] : [`External ${department}`];
      for (const each of own) rows.push({ id, first, last, email, department: each, starts });
    }
    return rows;
  }
}

/** The members that these rows stand for, by what docs/sources.md promises; people who share an address are none. */
export function membersOf(rows: readonly ExportRow[], source: string): Map<string, Content> {
  const byKey = new Map<string, ExportRow[]>();
  for (const row of rows) {
    const key = row.email.toLowerCase();
    byKey.set(key, [...(byKey.get(key) ?? []), row]);
  }
  const members = new Map<string, Content>();
  for (const [key, own] of byKey) {
    const [one] = own;
    if (!one || own.some(({ id }) => id !== one.id)) continue;
    const always = source === 'staff' ? ['All staff'] : ['All contractors'];
    const groups = [...new Set([...own.map(({ department }) => department), ...always])];
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

/** An export as a roster that is open. */
export function rosterOf(rows: readonly ExportRow[], name: string, at: number, isUnended = false): RosterFile {
  const cells = cellsOf(rows);
  const text = cells.map((each) => each.join(',')).join('\n');
  return {
    form: {
      ...{
        file: `${name}.csv`,
        format: 'csv',
        encoding: 'utf-8',
        delimiter: ',',
        header,
        newline: '\n',
        headerLine: 1,
      },
      ...{ notes: [], isUnended },
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
