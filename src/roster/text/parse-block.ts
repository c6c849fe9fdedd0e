// Parses a block of CSV records to rows, with papaparse.
import Papa from 'papaparse';
import type { Reject, Row } from '../../core/rows/row.ts';
import { Apostrophes } from './apostrophes.ts';
import { countOf, type Block, type Dialect } from './records.ts';

/*
 * The parser itself, without what `Papa.parse` puts around it for streams, workers and headers: that takes a byte order mark off
 * each text, though here it is in the middle of a file, and keeps what it parsed alive until the next major collection of garbage.
 */
const parser = { header: false, quoteChar: '"' } as const;

/**
 * Reads the rows of a block with papaparse. Blank lines, and rows of which every cell is blank, are left out; a
 * record whose quotes are malformed is a reject with the text of its cells as in the file.
 */
export function parseBlock(
  block: Block,
  dialect: Dialect,
  file: string,
  apostrophes = new Apostrophes(),
): (Row | Reject)[] {
  if (block.isMalformed) return [malformedRow(block, dialect, file, apostrophes)];
  const records = parseRecords(block, dialect.delimiter);
  if (block.carriageReturns) for (const cells of records) trimCarriageReturn(cells);
  const rows: Row[] = [];
  let { line } = block;
  // Most texts have no apostrophe, so their cells need no check.
  const hasApostrophe = block.text.includes("'");
  for (const cells of records) {
    if (hasApostrophe) apostrophes.strip(cells, line);
    if (!isBlank(cells)) rows.push({ file, line, cells });
    line += block.hasInnerLines ? linesOf(cells, dialect.lineEnd) : 1;
  }
  return rows;
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

function malformedRow(
  { text, line }: Block,
  { delimiter, lineEnd }: Dialect,
  file: string,
  apostrophes: Apostrophes,
): Reject {
  const record = text.slice(0, -1).replace(lineEnd === '\n' ? /\r$/ : '', '');
  const lines = countOf(record, lineEnd) + 1;
  const place = lines > 1 ? ` Lines ${line} to ${line + lines - 1} were taken as one row.` : '';
  const reason = `text follows a closing quote: inside a quoted cell, a quote is written "".${place}`;
  const cells = splitLoosely(record, delimiter);
  apostrophes.strip(cells, line);
  return { file, line, cells, column: '', value: '', reason };
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
