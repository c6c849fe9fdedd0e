// Reads people together with the values joined to them.
import { isEmailAddress } from '../../core/cells/read-cell.ts';
import { EmptyTable, InputError } from '../../core/errors.ts';
import { isReject, type Reject, type Row } from '../../core/rows/row.ts';
import type { RosterFile } from '../roster-file.ts';
import {
  buildIndex,
  holdsOneOf,
  type JoinDay,
  type JoinIndex,
  columnOf,
  type JoinColumn,
  type JoinPeople,
  type JoinStep,
  requireColumn,
  toJoin,
} from './join-index.ts';
import { findFile, plainName, type Folder } from './recognise.ts';

const separator = ';';

/** The values of a person that a column has. */
type Reader = (row: Row) => string[];

/** A way, or an index, that cannot be had: what there is none of, a file or a column. */
interface Lacking {
  lacks: string;
}

export interface JoinSettings extends JoinDay {
  /** A file that is not there is an error; else its columns are left out. */
  isStrict: boolean;
  /** How many values are held in memory at most. */
  most: number;
  notes: string[];
}

/** Joins the people of a folder's files: opens the files that are joined, each once, and keeps what is needed of them. */
export class Joiner {
  readonly #folder: Folder;
  readonly #isStrict: boolean;
  readonly #notes: string[];
  readonly #reading: Parameters<typeof buildIndex>[2];
  readonly #indexes = new Map<string, JoinIndex | Lacking>();
  /** What is said about single values and people: `#values` and `#people` stand for how many. */
  readonly #counted = new Map<string, number>();
  /** Of the files that were joined. */
  readonly checksums = new Set<string>();
  /** The names of the files that were read, with all the columns that are joined by. */
  readonly files = new Set<string>();
  /** Whether one of the files that were joined has no line end behind its last line. */
  isUnended = false;

  constructor(folder: Folder, { isStrict, most, notes, ...day }: JoinSettings) {
    this.#folder = folder;
    this.#isStrict = isStrict;
    this.#notes = notes;
    this.#reading = { room: { left: most, most }, notes, lost: { any: false }, ...day };
  }

  /**
   * Opens a file with people: the columns that are joined stand behind its own. Undefined where a bundle has no such file:
   * nobody counts as missing then. Throws an `InputError` if one that somebody named, or a column by which it is joined, is
   * not there.
   */
  async open(people: JoinPeople): Promise<RosterFile | undefined> {
    const folder = this.#folder;
    const name = findFile(folder, people.file);
    if (name === undefined) {
      if (this.#isStrict) throw new InputError(`${folder.file}: it has no ${people.file}, which has the people.`);
      this.#note(`There is no ${people.file}, which has people too: nobody counts as missing from this roster.`);
      this.#reading.lost.any = true;
      return undefined;
    }
    this.files.add(plainName(name));
    const roster = await folder.open(name);
    try {
      return await this.#prepare(roster, people);
    } catch (error) {
      await roster.close();
      throw error;
    }
  }

  /** Says what was counted while the people were read. */
  finish(): void {
    for (const [what, count] of this.#counted) {
      const people = count === 1 ? '1 person has' : `${count} people have`;
      this.#note(what.replace('#values', count === 1 ? 'one value' : `${count} values`).replace('#people', people));
    }
    this.#counted.clear();
  }

  async #prepare(roster: RosterFile, people: JoinPeople): Promise<RosterFile> {
    const own = roster.form.header;
    const { added, fill } = this.#addresses(people, own);
    const columns: { name: string; read: Reader }[] = [...added];
    for (const [name, value] of Object.entries(people.set ?? {})) columns.push({ name, read: () => [value] });
    for (const [name, ways] of Object.entries(people.columns)) {
      const found: (Reader | Lacking)[] = [];
      for (const way of ways) found.push(await this.#way(way, roster));
      const readers = found.filter((way) => typeof way === 'function');
      if (readers.length > 0) {
        columns.push({ name, read: (row) => [...new Set(readers.flatMap((read) => read(row)))] });
        continue;
      }
      const lacks = new Set(found.flatMap((way) => ('lacks' in way ? way.lacks : [])));
      this.#note(`The column ${name} is left out: there is no ${[...lacks].join(', and no ')}.`);
    }
    this.#requireAll(roster, people.leaveOut);
    const isLeftOut = holdsOneOf(own, people.leaveOut);
    const join = (row: Row | Reject): Row | Reject => {
      if (isReject(row)) {
        // What a row has too many of stays behind everything, where the rejects file keeps it.
        const kept = own.map((_, at) => row.cells[at] ?? '');
        return { ...row, cells: [...kept, ...columns.map(() => ''), ...row.cells.slice(own.length)] };
      }
      fill?.(row);
      if (this.#reading.lost.any) row.hidesOthers = true;
      for (const { read } of columns) row.cells.push(this.#cell(read(row)));
      const found = isLeftOut(row);
      if (found) row.leftOut = `${found.column} is ${found.value}`;
      return row;
    };
    // A joined column has a name that the file's own columns do not have.
    const names = columns.map(({ name }) => (columnOf(own, name) === -1 ? name : `${name} (joined)`));
    return {
      ...roster,
      form: { ...roster.form, header: [...own, ...names] },
      async *batches() {
        for await (const batch of roster.batches()) yield batch.map(join);
      },
    };
  }

  /** Gives people whose own column has no address the one of another column; adds the column where the file has none. */
  #addresses(
    { addresses, file }: JoinPeople,
    header: readonly string[],
  ): { added: { name: string; read: Reader }[]; fill?(row: Row): void } {
    const from = addresses ? columnOf(header, addresses.from) : -1;
    if (!addresses || from === -1) return { added: [] };
    const { column: name } = addresses;
    const at = columnOf(header, name);
    const what = `${file}: #people no ${name} but an address as ${addresses.from}, which is taken.`;
    const address = ({ cells }: Row): string => {
      const found = (cells[from] ?? '').trim();
      if (!isEmailAddress(found)) return '';
      this.#count(what);
      return found;
    };
    if (at === -1) return { added: [{ name, read: (row) => [address(row)] }] };
    return {
      added: [],
      fill(row) {
        if ((row.cells[at] ?? '').trim() === '' && !row.missing?.has(at)) row.cells[at] = address(row);
      },
    };
  }

  #cell(values: string[]): string {
    if (!values.some((value) => value.includes(separator))) return values.join(separator);
    this.#note('Some joined names hold a ";", which separates names here: it became a comma.');
    return values.map((value) => value.replaceAll(separator, ',')).join(separator);
  }

  /** Follows the steps from a person's own column. */
  async #way({ from, split, steps }: JoinColumn, { form }: RosterFile): Promise<Reader | Lacking> {
    const begin = this.#isStrict ? requireColumn(form, from, toJoin) : columnOf(form.header, from);
    if (begin === -1) return { lacks: `column ${from} in ${plainName(form.file)}` };
    const indexes: { index: JoinIndex; what: string }[] = [];
    let before = '';
    for (const step of steps) {
      const index = await this.#index(step);
      if ('lacks' in index) return index;
      indexes.push({ index, what: before === '' ? '' : `#values of ${before} not found in ${step.file}: ignored.` });
      before = `${step.take} in ${step.file}`;
    }
    return (row) => {
      const cell = (row.cells[begin] ?? '').trim();
      let values = split === undefined ? [cell] : cell.split(split).map((value) => value.trim());
      for (const { index, what } of indexes) {
        const next = new Set<string>();
        for (const value of values) {
          const found = index.get(value);
          if (found === undefined && what !== '') this.#count(what);
          if (typeof found === 'string') next.add(found);
          else if (found) for (const each of found) next.add(each);
        }
        values = [...next];
      }
      return values;
    };
  }

  /** Bundles that are recognised may lack such columns; what somebody's own join names is there. */
  #requireAll({ form }: RosterFile, conditions: Readonly<Record<string, unknown>> = {}): void {
    if (!this.#isStrict) return;
    for (const name of Object.keys(conditions)) requireColumn(form, name, 'by which rows would be left out');
  }

  async #index(step: JoinStep): Promise<JoinIndex | Lacking> {
    const key = JSON.stringify(step);
    const index = this.#indexes.get(key) ?? (await this.#read(step));
    this.#indexes.set(key, index);
    return index;
  }

  async #read(step: JoinStep): Promise<JoinIndex | Lacking> {
    const { file } = step;
    const name = findFile(this.#folder, file);
    if (name === undefined && this.#isStrict)
      throw new InputError(`${this.#folder.file}: it has no ${file}, which is to be joined.`);
    if (name === undefined) return { lacks: file };
    const roster = await this.#folder.open(name).catch((error: unknown) => {
      // A file of a bundle may consist of a header only.
      if (error instanceof EmptyTable) return undefined;
      throw error;
    });
    if (!roster) {
      // What was joined from it may be lost: an export of which one file failed looks the same.
      this.#note(
        `${file} has a header and nobody below it: nobody counts as missing from this roster, nor from a group.`,
      );
      this.#reading.lost.any = true;
      return new Map();
    }
    if (roster.form.isUnended === true) this.isUnended = true;
    try {
      const lacking = [step.where, step.take].find((name) => columnOf(roster.form.header, name) === -1);
      if (lacking === undefined) this.#requireAll(roster, { ...step.only, ...step.except });
      else if (!this.#isStrict) return { lacks: `column ${lacking} in ${file}` };
      const index = await buildIndex(roster, step, this.#reading);
      this.checksums.add(roster.checksum());
      this.files.add(plainName(name));
      return index;
    } finally {
      await roster.close();
    }
  }

  #count(what: string): void {
    this.#counted.set(what, (this.#counted.get(what) ?? 0) + 1);
  }

  #note(note: string): void {
    if (!this.#notes.includes(note)) this.#notes.push(note);
  }
}
