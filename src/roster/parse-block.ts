import Papa from 'papaparse';
import { unguardFormula } from '../core/formula.ts';
import type { Reject, Row } from '../core/row.ts';
import { countOf, type Block, type Dialect } from './records.ts';

const parser = { header: false, quoteChar: '"', skipEmptyLines: false } as const;

/**
 * Reads the rows of a block with papaparse. Blank lines, and rows of which every cell is blank, are left out; a
 * record whose quotes are malformed is a reject with the text of its cells as it stands in the file.
 */
export function parseBlock(block: Block, dialect: Dialect, file: string): (Row | Reject)[] {
  if (block.isMalformed) return [malformedRow(block, dialect, file)];
  const records = parseRecords(block, dialect.delimiter);
  if (block.carriageReturns) for (const cells of records) trimCarriageReturn(cells);
  const rows: Row[] = [];
  let { line } = block;
  for (const cells of records) {
    if (!isBlank(cells)) rows.push({ file, line, cells });
    line += block.hasInnerLines ? linesOf(cells, dialect.lineEnd) : 1;
  }
  return rows;
}

function parseRecords({ text, newline, records }: Block, delimiter: string): string[][] {
  // papaparse takes a byte order mark off whatever it is given, and here it would be text.
  const isMarked = text.startsWith('\ufeff');
  const { data } = Papa.parse<string[]>(isMarked ? newline + text : text, { ...parser, delimiter, newline });
  // After the last line end it sees one more record, an empty one.
  data.pop();
  if (isMarked) data.shift();
  // Most texts have no apostrophe, and need no look at their cells.
  if (text.includes("'")) for (const cells of data) unguard(cells);
  if (data.length !== records) throw new Error(`papaparse found ${data.length} records where ${records} were cut`);
  return data;
}

function unguard(cells: string[]): void {
  for (const [at, cell] of cells.entries()) if (cell.startsWith("'")) cells[at] = unguardFormula(cell);
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

function malformedRow({ text, line }: Block, { delimiter, lineEnd }: Dialect, file: string): Reject {
  const record = text.slice(0, -1).replace(lineEnd === '\n' ? /\r$/ : '', '');
  const lines = countOf(record, lineEnd) + 1;
  const place = lines > 1 ? ` Lines ${line} to ${line + lines - 1} were taken as one row.` : '';
  const reason = `text follows a closing quote: inside a quoted cell, a quote is written "".${place}`;
  const cells = splitLoosely(record, delimiter);
  return { file, line, cells, column: '', value: '', reason };
}

/** The cells of a record with malformed quotes, each as it stands in the file, well quoted ones read. */
function splitLoosely(record: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let from = 0; from <= record.length;) {
    const quoted = record[from] === '"' ? /^"([^"]*(?:""[^"]*)*)"/.exec(record.slice(from)) : null;
    const search = from + (quoted?.[0].length ?? 0);
    const found = record.indexOf(delimiter, search);
    const end = found === -1 ? record.length : found;
    const isWell = quoted !== null && record.slice(search, end).trim() === '';
    cells.push(unguardFormula(isWell ? (quoted[1] ?? '').replaceAll('""', '"') : record.slice(from, end)));
    from = end + 1;
  }
  return cells;
}
