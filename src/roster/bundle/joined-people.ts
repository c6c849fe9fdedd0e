// Reads people together with the values joined to them.
import { isEmailAddress } from '../../core/cells/email-address.ts';
import { EmptyTable, InputError } from '../../core/errors.ts';
import type { Day } from '../../core/cells/days.ts';
import { isReject, type Reject, type Row } from '../../core/rows/row.ts';
import type { ReadLimits } from '../files/limits.ts';
import type { RosterFile } from '../roster-file.ts';
import { findFile, plainName, type Folder } from './recognise.ts';
import {
  buildIndex,
  holdsOneOf,
  type JoinIndex,
  type Room,
  columnOf,
  type JoinColumn,
  type JoinPeople,
  type JoinStep,
} from './join-index.ts';
import { quote } from '../../core/text/quote.ts';

/** The separator of several values in a cell. */
const separator = ';';

type Reader = (row: Row) => string[];

export interface PeopleFile {
  roster: RosterFile;
  /** The header with the joined columns behind it. */
  header: string[];
  join(row: Row | Reject): Row | Reject;
}

/** Gives people whose own column has no address the one of another column. */
interface StandIn {
  column: string;
  /** The file has no such column. */
  isAdded: boolean;
  address(row: Row): string;
  fill(row: Row): void;
}

export interface JoinSettings {
  /** A file that is not there is an error; else its columns are left out. */
  isStrict: boolean;
  limits: ReadLimits;
  notes: string[];
  today: Day;
}

/** Opens the files that are joined, each once, and keeps what is needed of them. */
export class Joiner {
  readonly #folder: Folder;
  readonly #isStrict: boolean;
  readonly #room: Room;
  readonly #notes: string[];
  readonly #today: Day;
  /** By step; for one that cannot be taken, what is lacking. */
  readonly #indexes = new Map<string, JoinIndex | string>();
  /** Values that a step did not find, by what is said about them; `#` stands for how many. */
  readonly #missing = new Map<string, number>();
  readonly #checksums = new Set<string>();
  /** Addresses that were taken from another column, by what is said about them. */
  readonly #stoodIn = new Map<string, number>();
  #hasSeparator = false;

  constructor(folder: Folder, { isStrict, limits, notes, today }: JoinSettings) {
    this.#folder = folder;
    this.#isStrict = isStrict;
    this.#today = today;
    this.#room = { left: limits.joined, most: limits.joined };
    this.#notes = notes;
  }

  /** Opens a file with people. Throws an `InputError` if it, or a column by which it is joined, is not there. */
  async open(people: JoinPeople): Promise<PeopleFile> {
    const folder = this.#folder;
    const name = findFile(folder, people.file);
    if (name === undefined) throw new InputError(`${folder.file}: it has no ${people.file}, which has the people.`);
    const roster = await folder.open(name);
    try {
      return await this.#prepare(roster, people);
    } catch (error) {
      await roster.close();
      throw error;
    }
  }

  get checksums(): readonly string[] {
    return [...this.#checksums];
  }

  finish(): void {
    for (const [what, count] of this.#missing) {
      this.#note(what.replace('#', count === 1 ? 'one value' : `${count} values`));
    }
    this.#missing.clear();
    for (const [what, count] of this.#stoodIn) {
      this.#note(what.replace('#', count === 1 ? '1 person has' : `${count} people have`));
    }
    this.#stoodIn.clear();
  }

  async #prepare(roster: RosterFile, people: JoinPeople): Promise<PeopleFile> {
    const own = roster.form.header;
    const standIn = this.#standIn(people, roster);
    const set = Object.entries(people.set ?? {});
    const columns: { name: string; read: Reader }[] = set.map(([name, value]) => {
      return { name, read: () => [value] };
    });
    for (const [name, ways] of Object.entries(people.columns)) {
      const readers: Reader[] = [];
      const lacks = new Set<string>();
      for (const way of ways) {
        const reader = await this.#way(way, roster);
        if (typeof reader === 'string') lacks.add(reader);
        else readers.push(reader);
      }
      if (readers.length === 0) {
        this.#note(`The column ${name} is left out: there is no ${[...lacks].join(', and no ')}.`);
        continue;
      }
      columns.push({ name, read: (row) => [...new Set(readers.flatMap((read) => read(row)))] });
    }
    if (standIn?.isAdded) columns.unshift({ name: standIn.column, read: (row) => [standIn.address(row)] });
    const isLeftOut = holdsOneOf(own, people.leaveOut);
    const join = (row: Row | Reject): Row | Reject => {
      if (isReject(row)) {
        // What a row has too many of stays behind everything, where the rejects file keeps it.
        const kept = [...row.cells.slice(0, own.length)];
        while (kept.length < own.length) kept.push('');
        return { ...row, cells: [...kept, ...columns.map(() => ''), ...row.cells.slice(own.length)] };
      }
      if (standIn && !standIn.isAdded) standIn.fill(row);
      for (const { read } of columns) row.cells.push(this.#cell(read(row)));
      const found = isLeftOut(row);
      if (found) row.leftOut = `${found.column} is ${found.value}`;
      return row;
    };
    return { roster, header: [...own, ...columns.map(({ name }) => freeName(own, name))], join };
  }

  /** Takes addresses from a second column; undefined if nothing is to be taken from it. */
  #standIn({ addresses, file }: JoinPeople, roster: RosterFile): StandIn | undefined {
    if (!addresses) return undefined;
    const { header } = roster.form;
    const [at, from] = [columnOf(header, addresses.column), columnOf(header, addresses.from)];
    if (from === -1) return undefined;
    const what = `${file}: # no ${addresses.column} but an address as ${addresses.from}, which is taken.`;
    const address = ({ cells }: Row): string => {
      const found = (cells[from] ?? '').trim();
      if (!isEmailAddress(found)) return '';
      this.#stoodIn.set(what, (this.#stoodIn.get(what) ?? 0) + 1);
      return found;
    };
    const fill = (row: Row): void => {
      if ((row.cells[at] ?? '').trim() === '' && !row.missing?.has(at)) row.cells[at] = address(row);
    };
    return { column: addresses.column, isAdded: at === -1, address, fill };
  }

  #cell(values: string[]): string {
    if (!values.some((value) => value.includes(separator))) return values.join(separator);
    if (!this.#hasSeparator)
      this.#notes.push('Some joined names hold a ";", which separates names here: it became a comma.');
    this.#hasSeparator = true;
    return values.map((value) => value.replaceAll(separator, ',')).join(separator);
  }

  /** Names what is missing if a step cannot be taken, because a file or column does not exist. */
  async #way({ from, split, steps }: JoinColumn, roster: RosterFile): Promise<Reader | string> {
    const begin = columnOf(roster.form.header, from);
    if (begin === -1) {
      if (!this.#isStrict) return `column ${from} in ${plainName(roster.form.file)}`;
      throw new InputError(`${roster.form.file}: it has no column ${quote(from)}, by which it would be joined.`);
    }
    const indexes: { index: JoinIndex; what: string }[] = [];
    let before = '';
    for (const step of steps) {
      const index = await this.#index(step);
      if (typeof index === 'string') return index;
      indexes.push({ index, what: before === '' ? '' : `# of ${before} not found in ${step.file}: ignored.` });
      before = `${step.take} in ${step.file}`;
    }
    return (row) => {
      const cell = (row.cells[begin] ?? '').trim();
      let values = split === undefined ? [cell] : cell.split(split).map((value) => value.trim());
      for (const { index, what } of indexes) {
        const next = new Set<string>();
        for (const value of values) {
          const found = index.get(value);
          if (found === undefined && what !== '') this.#missing.set(what, (this.#missing.get(what) ?? 0) + 1);
          if (typeof found === 'string') next.add(found);
          else if (found) for (const each of found) next.add(each);
        }
        values = [...next];
      }
      return values;
    };
  }

  async #index(step: JoinStep): Promise<JoinIndex | string> {
    const key = JSON.stringify(step);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const name = findFile(this.#folder, step.file);
    if (name === undefined && this.#isStrict) {
      throw new InputError(`${this.#folder.file}: it has no ${step.file}, which is to be joined.`);
    }
    const index = name === undefined ? step.file : await this.#read(name, step);
    this.#indexes.set(key, index);
    return index;
  }

  async #read(name: string, step: JoinStep): Promise<JoinIndex | string> {
    const roster = await this.#folder.open(name).catch((error: unknown) => {
      // A file of a bundle may consist of a header only.
      if (error instanceof EmptyTable) return undefined;
      throw error;
    });
    if (!roster) return new Map();
    try {
      const lacking = [step.where, step.take].find((name) => columnOf(roster.form.header, name) === -1);
      if (lacking !== undefined && !this.#isStrict) return `column ${lacking} in ${step.file}`;
      const index = await buildIndex(roster, step, { room: this.#room, notes: this.#notes, today: this.#today });
      this.#checksums.add(roster.checksum());
      return index;
    } finally {
      await roster.close();
    }
  }

  #note(note: string): void {
    if (!this.#notes.includes(note)) this.#notes.push(note);
  }
}

/** A name for a joined column that the file's own columns do not have. */
function freeName(header: readonly string[], name: string): string {
  return columnOf(header, name) === -1 ? name : `${name} (joined)`;
}
