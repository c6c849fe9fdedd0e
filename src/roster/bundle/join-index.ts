import { InputError } from '../../core/errors.ts';
import { isReject, type Row } from '../../core/row.ts';
import type { RosterFile } from '../roster-file.ts';
import type { JoinStep } from './join-spec.ts';
import { quote } from '../../core/quote.ts';

/** From the value of one column of a file to the values of another. */
export type JoinIndex = ReadonlyMap<string, Values>;

/** Nearly all have few values; those of which there are many must not be searched one by one. */
type Values = string | string[] | Set<string>;
const fewValues = 16;

/** How many values may still be held in memory, over all files. */
export interface Room {
  left: number;
  most: number;
}

/** The column of a header that is meant by a name: as it is written, else in any case. */
export function columnOf(header: readonly string[], name: string): number {
  const wanted = name.trim();
  const exact = header.findIndex((column) => column.trim() === wanted);
  if (exact !== -1) return exact;
  return header.findIndex((column) => column.trim().toLowerCase() === wanted.toLowerCase());
}

/** Says of rows whether one of the given columns holds one of the given values, in any case. */
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

/**
 * Reads a file into an index for a step. Rows that cannot be read are left out and said in `notes`. Throws an
 * `InputError` for a column that is not there, and when there is no room for its rows.
 */
export async function buildIndex(roster: RosterFile, step: JoinStep, room: Room, notes: string[]): Promise<JoinIndex> {
  const { header, file } = roster.form;
  const [where, take] = [step.where, step.take].map((name) => {
    const index = columnOf(header, name);
    if (index === -1) throw new InputError(`${file}: it has no column ${quote(name)}, by which it would be joined.`);
    return index;
  }) as [number, number];
  const isWanted = step.only ? holdsOneOf(header, step.only) : () => true;
  const isUnwanted = holdsOneOf(header, step.except);
  const index = new Map<string, Values>();
  const known = new Map<string, string>();
  let unread: { line: number; reason: string; count: number } | undefined;
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
      if (key === '' || value === '') continue;
      if (!add(index, keep(key, known), keep(value, known))) continue;
      if (--room.left < 0) {
        throw new InputError(
          `${file}: the files to join have more than ${room.most} values, which are held in memory. Raise limits.joined, or export fewer.`,
        );
      }
    }
  }
  if (unread) {
    const { count, line, reason } = unread;
    const rows = count === 1 ? 'One row' : `${count} rows`;
    notes.push(`${rows} of ${file} cannot be read, and what they say is missing. The first: line ${line}: ${reason}.`);
  }
  return index;
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
