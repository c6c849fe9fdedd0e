// Indexes the values of one column by those of another, in bounded memory.
import { type Day, readDay } from '../../core/cells/days.ts';
import { InputError } from '../../core/errors.ts';
import { type Row, isReject } from '../../core/rows/row.ts';
import { refusal, say } from '../../core/words/say.ts';
import { quote } from '../../core/text/quote.ts';
import type { RosterFile } from '../roster-file.ts';
import type { Bundle } from '../../../config/read-schema.ts';

/** From the value of one column of a file to the values of another. */
export type JoinIndex = ReadonlyMap<string, Values>;

/** Nearly all keys have few values; long lists must not be searched one by one. */
type Values = string | string[] | Set<string>;
const fewValues = 16;

/** How many values may still be held in memory, over all files. */
export interface Room {
  left: number;
  most: number;
}

/** Tells whether one of the given columns of a row holds one of the given values, in any case. */
export function holdsOneOf(
  header: readonly string[],
  wanted: Readonly<Record<string, readonly string[]>> = {},
): (row: Row) => { column: string; value: string } | undefined {
  const tests = Object.entries(wanted).flatMap(([name, values]) => {
    const index = columnOf(header, name);
    return index === -1 ? [] : [{ index, column: header[index] ?? name, values: new Set(values.map(foldCase)) }];
  });
  return ({ cells }) => {
    for (const { index, column, values } of tests) {
      const value = (cells[index] ?? '').trim();
      if (values.has(foldCase(value))) return { column, value };
    }
    return undefined;
  };
}

function foldCase(text: string): string {
  return text.trim().toLowerCase();
}

interface Reading {
  room: Room;
  notes: string[];
  /** The day by which rows hold or do not. */
  today: Day;
}

interface Left {
  line: number;
  reason: string;
  count: number;
}

/** `notes` has the rows that cannot be read. Throws an `InputError` for a missing column, or without room. */
export async function buildIndex(
  roster: RosterFile,
  step: JoinStep,
  { room, notes, today }: Reading,
): Promise<JoinIndex> {
  const { header, file } = roster.form;
  const [where, take] = [step.where, step.take].map((name) => {
    const index = columnOf(header, name);
    if (index === -1) throw new InputError(`${file}: it has no column ${quote(name)}, by which it would be joined.`);
    return index;
  }) as [number, number];
  const isWanted = step.only ? holdsOneOf(header, step.only) : () => true;
  const isUnwanted = holdsOneOf(header, step.except);
  const held = step.current && currentRows(roster.form, step.current, today);
  const index = new Map<string, Values>();
  const known = new Map<string, string>();
  const newest = new Newest();
  let unread: Left | undefined;
  let undated: Left | undefined;
  for await (const batch of roster.batches()) {
    for (const row of batch) {
      if (isReject(row)) {
        unread ??= { line: row.line, reason: row.reason, count: 0 };
        unread.count++;
        continue;
      }
      if (!isWanted(row) || isUnwanted(row)) continue;
      const key = (row.cells[where] ?? '').trim();
      const value = (row.cells[take] ?? '').trim();
      const holds = held?.(row);
      if (holds && 'reason' in holds) {
        undated ??= { line: row.line, reason: holds.reason, count: 0 };
        undated.count++;
        continue;
      }
      if (key === '') continue;
      if (holds && step.current?.else === 'newest') {
        if (holds.isCurrent) newest.settle(key);
        else if (newest.offer(keep(key, known), keep(value, known), holds.start)) occupy(room, file);
      }
      if (value === '' || holds?.isCurrent === false) continue;
      if (!add(index, keep(key, known), keep(value, known))) continue;
      occupy(room, file);
    }
  }
  for (const [key, value] of newest.values()) if (value !== '') add(index, key, value);
  for (const [what, left] of Object.entries({ undatedRows: undated, unreadRows: unread }))
    if (left) notes.push(say(what, left.count, { file, line: left.line, text: left.reason }));
  return index;
}

function occupy(room: Room, file: string): void {
  if (--room.left >= 0) return;
  throw refusal('joinedTooLarge', { file, most: room.most });
}

/** Keeps of each key the values with the newest start, until it is settled by one that holds today. */
class Newest {
  readonly #settled = new Set<string>();
  readonly #offered = new Map<string, { start: number; values: string[] }>();

  settle(key: string): void {
    this.#settled.add(key);
    this.#offered.delete(key);
  }

  /** True where that takes more room than before. */
  offer(key: string, value: string, start: number): boolean {
    if (this.#settled.has(key)) return false;
    const before = this.#offered.get(key);
    if (before?.start === start && !before.values.includes(value)) before.values.push(value);
    else if (before === undefined || before.start < start) this.#offered.set(key, { start, values: [value] });
    else return false;
    return before === undefined || before.start === start;
  }

  *values(): Generator<[string, string]> {
    for (const [key, { values }] of this.#offered) for (const value of values) yield [key, value];
  }
}

/** Copies a text once: it is part of the text that was read, all of which it would keep in memory. */
function keep(text: string, known: Map<string, string>): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const copy = Buffer.from(text, 'utf16le').toString('utf16le');
  known.set(copy, copy);
  return copy;
}

/** Adds a value. False when it is there already. */
function add(index: Map<string, Values>, key: string, value: string): boolean {
  const before = index.get(key);
  if (before === undefined) index.set(key, value);
  else if (typeof before === 'string') {
    if (before === value) return false;
    index.set(key, [before, value]);
  } else if (Array.isArray(before)) {
    if (before.includes(value)) return false;
    before.push(value);
    if (before.length > fewValues) index.set(key, new Set(before));
  } else {
    if (before.has(value)) return false;
    before.add(value);
  }
  return true;
}

/** Whether a row holds today, and since when (0 if it does not say); or why nobody can tell. */
type Held = { isCurrent: boolean; start: Day } | { reason: string };

/** Judges rows by the days in them. Throws an `InputError` for a column that is not there. */
function currentRows(
  { header, file }: { header: readonly string[]; file: string },
  { start, end, order }: CurrentRows,
  today: Day,
): (row: Row) => Held {
  const [first, last] = [start, end].map((name) => {
    if (name === undefined) return undefined;
    const index = columnOf(header, name);
    if (index === -1) throw new InputError(`${file}: it has no column ${quote(name)}, by whose day rows would count.`);
    return index;
  });
  const dayAt = (row: Row, index: number | undefined): ReturnType<typeof readDay> =>
    index === undefined ? undefined : readDay((row.cells[index] ?? '').trim(), order);
  return (row) => {
    const [from, to] = [dayAt(row, first), dayAt(row, last)];
    if (typeof from === 'object') return from;
    if (typeof to === 'object') return to;
    const isCurrent = (from === undefined || from <= today) && (to === undefined || to >= today);
    return { isCurrent, start: from ?? 0 };
  };
}

/** A file with a row for each person, and the columns that are joined to it. Values are compared in any case. */
export type JoinPeople = Bundle['people'][number];

/** A way from a person to the values of a column; without a step, to their own. */
export type JoinColumn = JoinPeople['columns'][string][number];

/** One step from a value to others: the rows of a file in which a column holds it, and what another column holds there. */
export type JoinStep = JoinColumn['steps'][number];

/** Which rows hold today: from the day in one column to the day in another, both included. */
type CurrentRows = NonNullable<JoinStep['current']>;

/** The column of a header that is meant by a name: as it is written, else in any case. */
export function columnOf(header: readonly string[], name: string): number {
  const wanted = name.trim();
  const exact = header.findIndex((column) => column.trim() === wanted);
  if (exact !== -1) return exact;
  return header.findIndex((column) => column.trim().toLowerCase() === wanted.toLowerCase());
}
