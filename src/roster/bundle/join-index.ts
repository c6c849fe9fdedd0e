// Indexes the values of one column by those of another, in bounded memory.
import { type Day, readDay } from '../../core/cells/days.ts';
import { readLastDay } from '../../core/cells/status-words.ts';
import { InputError, refusal } from '../../core/errors.ts';
import { type Row, isReject } from '../../core/rows/row.ts';
import { say } from '../../core/words/say.ts';
import { quote } from '../../core/text/format.ts';
import type { RosterFile } from '../roster-file.ts';
import type { Bundle } from '../read-schema.ts';

/** A file with a row for each person, and the columns that are joined to it. Values are compared in any case. */
export type JoinPeople = Bundle['people'][number];

/** A way from a person to the values of a column; without a step, to their own. */
export type JoinColumn = JoinPeople['columns'][string][number];

/** One step from a value to others: the rows of a file in which a column holds it, and what another column holds there. */
export type JoinStep = JoinColumn['steps'][number];

/** From the value of one column of a file to the values of another. */
export type JoinIndex = ReadonlyMap<string, Values>;

/** Nearly all keys have few values; long lists must not be searched one by one. */
type Values = string | string[] | Set<string>;
const fewValues = 16;

/** The time zone in which rows hold or do not, and the day there. */
export interface JoinDay {
  timezone: string;
  today: Day;
}

interface IndexOptions extends JoinDay {
  /** How many values may still be held in memory, over all files. */
  room: { left: number; most: number };
  notes: string[];
  /** Whether rows of the files that are joined could not be read, or dated. */
  lost: { any: boolean };
}

/** The column of a header that is meant by a name: as it is written, else in any case. */
export function columnOf(header: readonly string[], name: string): number {
  const wanted = name.trim();
  const exact = header.findIndex((column) => column.trim() === wanted);
  if (exact !== -1) return exact;
  return header.findIndex((column) => column.trim().toLowerCase() === wanted.toLowerCase());
}

/** The same. Throws an `InputError` that says for what there is no such column. */
export function requireColumn({ header, file }: RosterFile['form'], name: string, purpose: string): number {
  const index = columnOf(header, name);
  if (index !== -1) return index;
  throw new InputError(`${file}: it has no column ${quote(name)}, ${purpose}.`);
}

export const toJoin = 'by which it would be joined';

/** Tells whether one of the given columns of a row holds one of the given values, in any case. */
export function holdsOneOf(
  header: readonly string[],
  wanted: Readonly<Record<string, readonly string[]>> = {},
): (row: Row) => { column: string; value: string } | undefined {
  const fold = (text: string): string => text.trim().toLowerCase();
  const tests = Object.entries(wanted).flatMap(([name, values]) => {
    const index = columnOf(header, name);
    return index === -1 ? [] : [{ index, column: header[index] ?? name, values: new Set(values.map(fold)) }];
  });
  return ({ cells }) => {
    for (const { index, column, values } of tests) {
      const value = (cells[index] ?? '').trim();
      if (values.has(fold(value))) return { column, value };
    }
    return undefined;
  };
}

/** `notes` gets the rows that cannot be read. Throws an `InputError` for a missing column, or without room. */
export async function buildIndex(
  roster: RosterFile,
  step: JoinStep,
  { room, notes, lost, ...day }: IndexOptions,
): Promise<JoinIndex> {
  const { header, file } = roster.form;
  const [where, take] = [requireColumn(roster.form, step.where, toJoin), requireColumn(roster.form, step.take, toJoin)];
  const wanted = Object.entries(step.only ?? {}).map(([name, values]) => holdsOneOf(header, { [name]: values }));
  const isUnwanted = holdsOneOf(header, step.except);
  const held = step.current && currentRows(roster.form, step.current, day);
  const index = new Map<string, Values>();
  const keep = keeper();
  const newest = new Newest();
  const leftOut = new Map<string, { line: number; text: string; count: number }>();
  const leaveOut = (what: string, { line }: Row, text: string): void => {
    const { count = 0, ...first } = leftOut.get(what) ?? { line, text };
    leftOut.set(what, { ...first, count: count + 1 });
  };
  const occupy = (): void => {
    if (--room.left < 0) throw refusal('joinedTooLarge', { file, most: room.most });
  };
  for await (const batch of roster.batches()) {
    for (const row of batch) {
      if (isReject(row)) {
        leaveOut('unreadRows', row, row.reason);
        lost.any = true;
        continue;
      }
      if (!wanted.every((holds) => holds(row)) || isUnwanted(row)) continue;
      const key = (row.cells[where] ?? '').trim();
      const value = (row.cells[take] ?? '').trim();
      const holds = held?.(row);
      if (holds && 'reason' in holds) {
        leaveOut('undatedRows', row, holds.reason);
        lost.any = true;
        continue;
      }
      if (key === '') continue;
      if (holds && step.current?.else === 'newest') {
        if (holds.isCurrent) newest.settle(key);
        else if (newest.offer(keep(key), keep(value), holds.start)) occupy();
      }
      if (value === '' || holds?.isCurrent === false) continue;
      if (add(index, keep(key), keep(value))) occupy();
    }
  }
  for (const [key, value] of newest.values()) if (value !== '') add(index, key, value);
  for (const what of ['undatedRows', 'unreadRows']) {
    const { count = 0, ...first } = leftOut.get(what) ?? {};
    if (count > 0) notes.push(say(what, count, { file, ...first }));
  }
  return index;
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
function keeper(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const copy = Buffer.from(text, 'utf16le').toString('utf16le');
    known.set(copy, copy);
    return copy;
  };
}

/** Adds a value. False when it is there already. */
function add(index: Map<string, Values>, key: string, value: string): boolean {
  const before = index.get(key);
  if (before === undefined) index.set(key, value);
  else if (before instanceof Set) {
    if (before.has(value)) return false;
    before.add(value);
  } else {
    const values = typeof before === 'string' ? [before] : before;
    if (values.includes(value)) return false;
    values.push(value);
    if (values.length !== 2 && values.length <= fewValues) return true;
    index.set(key, values.length > fewValues ? new Set(values) : values);
  }
  return true;
}

/** Judges rows by the days in them: whether they hold today, and since when (0 if they do not say); or why nobody can tell. */
function currentRows(
  form: RosterFile['form'],
  { start, end, order }: NonNullable<JoinStep['current']>,
  { today, timezone }: JoinDay,
): (row: Row) => { isCurrent: boolean; start: Day } | { reason: string } {
  const [first, last] = [start, end].map((name) =>
    name === undefined ? undefined : requireColumn(form, name, 'by whose day rows would count'),
  );
  return ({ cells }) => {
    const [from, to] = [
      readDay((cells[first ?? -1] ?? '').trim(), order, timezone),
      readLastDay((cells[last ?? -1] ?? '').trim(), order, timezone),
    ];
    if (typeof from === 'object') return from;
    if (typeof to === 'object') return to;
    const isCurrent = (from === undefined || from <= today) && (to === undefined || to >= today);
    return { isCurrent, start: from ?? 0 };
  };
}
