// Parses a block of CSV records to rows, with papaparse.
import Papa from 'papaparse';
import type { Reject, Row } from '../../core/rows/row.ts';
import { say } from '../../core/words/say.ts';
import { Apostrophes } from './text-notes.ts';
import { countOf, type Block, type Dialect } from './records.ts';
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { InputError } from '../../core/errors.ts';
import { readFailure } from '../files/read-failure.ts';

/*
 * The parser itself, without what `Papa.parse` puts around it for streams, workers and headers: that takes a byte order mark off
 * each text, though here it is in the middle of a file, and keeps what it parsed alive until the next major collection of garbage.
 */
const parser = { header: false, quoteChar: '"' } as const;

/**
 * Reads the rows of a block with papaparse. Blank lines, and rows of which every cell is blank, are left out; a
 * record whose quotes are malformed is a reject with the text of its cells as in the file. If a stray quote has taken rows
 * of other lines into a record, each of its lines is a reject.
 * @param width the number of columns, where that is known
 */
export function parseBlock(
  block: Block,
  dialect: Dialect,
  file: string,
  apostrophes = new Apostrophes(),
  width?: number,
): (Row | Reject)[] {
  if (block.isMalformed) {
    const lines = malformedLines(block, dialect, width);
    for (const [at, cells] of lines.entries()) apostrophes.strip(cells, block.line + at);
    const reason = say('textAfterQuote', 1);
    return rejects(lines, { file, line: block.line, lines: countOf(block.text, dialect.lineEnd), reason });
  }
  const records = parseRecords(block, dialect.delimiter);
  if (block.carriageReturns) for (const cells of records) trimCarriageReturn(cells);
  const rows: (Row | Reject)[] = [];
  let { line } = block;
  const mayHoldRows = (cell: string): boolean => cell.includes(dialect.lineEnd) && cell.includes(dialect.delimiter);
  // Most texts have no apostrophe, so their cells need no check.
  const hasApostrophe = block.text.includes("'");
  for (const cells of records) {
    if (hasApostrophe) apostrophes.strip(cells, line);
    const lines = block.hasInnerLines ? linesOf(cells, dialect.lineEnd) : 1;
    const within = lines > 1 && cells.some(mayHoldRows) ? cellsByLine(cells, dialect) : [];
    if (areRows(within, width)) rows.push(...rejects(within, { file, line, lines, reason: say('strayQuote', 1) }));
    else if (!isBlank(cells)) rows.push({ file, line, cells });
    line += lines;
  }
  return rows;
}

/** A record of so many lines that cannot be used: one reject, or one for each of its lines, where these are rows. */
function rejects(
  records: readonly string[][],
  { file, line, lines, reason }: { file: string; line: number; lines: number; reason: string },
): Reject[] {
  const place = lines > 1 ? ` ${say('takenAsOne', 1, { from: line, to: line + lines - 1 })}` : '';
  const same = {
    file,
    column: '',
    value: '',
    reason: `${reason}${place}`,
    ...(lines > 1 && { hidesOthers: true as const }),
  };
  return records.map((cells, at) => ({ ...same, line: line + at, cells }));
}

function parseRecords({ text, newline, records }: Block, delimiter: string): string[][] {
  const { data } = new Papa.Parser({ ...parser, delimiter, newline }).parse(text, 0, false) as { data: string[][] };
  // After the last line end it sees one more record, an empty one.
  data.pop();
  if (data.length !== records) throw new Error(`papaparse found ${data.length} records where ${records} were cut`);
  return data;
}

function trimCarriageReturn(cells: string[]): void {
  const last = cells.at(-1);
  if (last?.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1);
}

function isBlank(cells: readonly string[]): boolean {
  const [first = ''] = cells;
  return (first === '' || first.trim() === '') && cells.every((cell) => cell.trim() === '');
}

function linesOf(cells: readonly string[], lineEnd: string): number {
  let lines = 1;
  for (const cell of cells) if (cell.includes(lineEnd)) lines += countOf(cell, lineEnd);
  return lines;
}

/** The cells of a record with malformed quotes; those of each of its lines, where these are rows. */
function malformedLines({ text }: Block, { delimiter, lineEnd }: Dialect, width?: number): string[][] {
  const record = text.slice(0, -1).replace(lineEnd === '\n' ? /\r$/ : '', '');
  const lines = record.split(lineEnd).map((line) => splitLoosely(line.replace(/\r$/, ''), delimiter));
  return areRows(lines, width) ? lines : [splitLoosely(record, delimiter)];
}

/** The cells of a record with malformed quotes, each as in the file, well quoted ones read. */
function splitLoosely(record: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let from = 0; from <= record.length;) {
    const quoted = record[from] === '"' ? /^"([^"]*(?:""[^"]*)*)"/.exec(record.slice(from)) : null;
    const search = from + (quoted?.[0].length ?? 0);
    const found = record.indexOf(delimiter, search);
    const end = found === -1 ? record.length : found;
    const isWell = quoted !== null && record.slice(search, end).trim() === '';
    cells.push(isWell ? (quoted[1] ?? '').replaceAll('""', '"') : record.slice(from, end));
    from = end + 1;
  }
  return cells;
}

/** A roster whose rows have no addresses has at least a name and an id. */
const fewest = 3;

/**
 * The first and one more are as wide as the header, with an address in the same place; without one there, two more
 * are as wide. Lines of an address or a note are not.
 */
function areRows([first = [], ...others]: readonly (readonly string[])[], width?: number): boolean {
  if (first.length !== width) return false;
  const at = first.findIndex((cell) => cell.includes('@'));
  const isRow = (cells: readonly string[]): boolean =>
    cells.length === width && (at === -1 || cells[at]?.includes('@') === true);
  const rows = others.filter(isRow).length;
  return at === -1 ? rows > 1 && first.length >= fewest : rows > 0;
}

/** The cells on each line of a record some of whose cells have line ends in them. */
function cellsByLine(
  cells: readonly string[],
  { delimiter, lineEnd }: { delimiter: string; lineEnd: string },
): string[][] {
  let row: string[] = [];
  const rows = [row];
  for (const cell of cells) {
    const [first = '', ...lines] = cell.split(lineEnd).map((line) => line.replace(/\r$/, ''));
    row.push(...(lines.length === 0 ? [cell] : first.split(delimiter)));
    for (const line of lines) rows.push((row = line.split(delimiter)));
  }
  return rows;
}

/** Some programs save a row as `"Ann,Ek,""Sales, EU"""`. Undefined for several cells, or one that is no row. */
export function unwrap(cells: readonly string[], delimiter: string): string[] | undefined {
  const [cell] = cells;
  if (cells.length !== 1 || !cell?.includes(delimiter)) return undefined;
  const { data, errors } = Papa.parse<string[]>(cell, { header: false, quoteChar: '"', delimiter, newline: '\n' });
  return data.length === 1 && errors.length === 0 ? data[0] : undefined;
}

/** The rows of a CSV file in UTF-8, with commas, semicolons or tabs; blank ones are left out. */
export async function readCells(file: string): Promise<string[][]> {
  const bytes = await readFile(file).catch((error: unknown) => Promise.reject(readFailure(file, error)));
  if (!isUtf8(bytes)) throw new InputError(`${file}: it is not in UTF-8. Save it as "CSV UTF-8".`);
  const text = new TextDecoder().decode(bytes);
  return Papa.parse<string[]>(text, { header: false, skipEmptyLines: 'greedy' }).data;
}
