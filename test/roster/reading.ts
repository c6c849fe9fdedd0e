import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { InputError } from '../../src/core/errors.ts';
import type { Reject, Row } from '../../src/core/rows/row.ts';
import { openRoster, type OpenOptions, type RosterFile } from '../../src/roster/open-roster.ts';
import { afterFiles } from '../support/after-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'roster-test-'));
afterFiles(() => rm(folder, { recursive: true }));
let files = 0;

/** A path in a folder that is removed after the tests. */
export function newPath(name = 'roster.csv'): string {
  return join(folder, `${++files}-${name}`);
}

/** Writes a file and gives its path. */
export async function fileOf(content: string | Uint8Array, name?: string): Promise<string> {
  const path = newPath(name);
  await writeFile(path, content);
  return path;
}

/** A stream of bytes in the given pieces. */
export function streamOf(...pieces: Uint8Array[]): Readable {
  return Readable.from(pieces, { objectMode: false });
}

export interface Read {
  roster: RosterFile;
  rows: (Row | Reject)[];
  /** The header's cells, and then those of each row. */
  table: string[][];
}

/** Opens a roster and reads all of it. */
export async function read(source: string | Readable, options?: OpenOptions): Promise<Read> {
  const roster = await openRoster(source, options);
  const rows: (Row | Reject)[] = [];
  try {
    for await (const batch of roster.batches()) rows.push(...batch);
  } finally {
    await roster.close();
  }
  return { roster, rows, table: [roster.form.header, ...rows.map(({ cells }) => cells)] };
}

/** Reads text from a stream. */
export function readText(text: string, options?: OpenOptions): Promise<Read> {
  return read(streamOf(Buffer.from(text)), options);
}

/** The message of the `InputError` that the work ends with. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was accepted'),
    (error: unknown) => error,
  );
  assert.ok(error instanceof InputError, `${error}`);
  return error.message;
}

/** Cells that are hard to read: quotes, delimiters, line ends, spaces, byte order marks, formulas, any character. */
export const hardCell = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.string({
      unit: fc.constantFrom('"', ',', ';', '\t', '|', '\n', '\r', ' ', 'a', 'é', '\ufeff', '=', '😀'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '""', '"', '\r\n', '\n"', '=1+1', '@SUM(A1)', '-2', '\ufeff', '_line', '__proto__'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '0')) },
);

/** Cells that a spreadsheet may run, or that look as if somebody had kept it from that. */
export const runnableCell = fc.oneof(
  hardCell,
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '\uFF1D', ',', '"', 'a') }),
);

/** Tables with a header and at least one row, as wide everywhere, without rows that are blank. */
export function tableOf(cell: fc.Arbitrary<string>): fc.Arbitrary<string[][]> {
  const rowOf = (width: number) =>
    fc.array(cell, { minLength: width, maxLength: width }).filter((cells) => cells.join('').trim() !== '');
  return fc.integer({ min: 1, max: 5 }).chain((width) => fc.array(rowOf(width), { minLength: 2, maxLength: 8 }));
}

/** Splits anything with `length` and `slice` at the given places. */
export function splitAt<T extends { length: number; slice(from: number, to?: number): T }>(
  whole: T,
  places: number[],
): T[] {
  const cuts = [0, ...places.map((place) => place % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
  return cuts.slice(1).map((to, at) => whole.slice(cuts[at] ?? 0, to));
}
