// Writes a list as a file: CSV that spreadsheets open safely, a workbook of Excel, JSON, or a JSON object a line.
import { extname } from 'node:path';
import { type SheetFormat, sheetFormats } from '../../acts/shapes/parts.ts';
import { withVersion } from '../../acts/shapes/version.ts';
import { InputError } from '../../core/errors.ts';
import { escapeJson, escapeText } from '../../core/text/format.ts';
import { type Cell, csvForm, csvText, listCell } from './csv.ts';

/** People or other things, a row each. */
export interface Sheet<Row extends object = object> {
  /** Of the sheet of a workbook. */
  name: string;
  /** Of the list in JSON, and what JSON says before it. */
  list: string;
  head?: object;
  columns: readonly string[];
  /** As they come: one by one, or some at a time. */
  rows: AsyncIterable<Row | readonly Row[]> | Iterable<Row>;
  /** What stands below the columns; unless given, the fields that they name. */
  cells?(row: Row): readonly Cell[];
}

/** A sheet in parts, from rows as they come. `excel`: CSV with a byte order mark, and `;` between columns. */
export function sheetParts<Row extends object>(
  sheet: Sheet<Row>,
  { format = 'csv', excel = false }: { format?: SheetFormat; excel?: boolean } = {},
): AsyncIterable<string | Uint8Array> {
  return writers[format](sheet, excel);
}

const writers: Record<SheetFormat, (sheet: Sheet, excel: boolean) => AsyncIterable<string | Uint8Array>> = {
  async *csv(sheet, excel) {
    const form = csvForm(excel);
    yield form.mark + csvText([sheet.columns], form);
    for await (const rows of cellsOf(sheet)) yield csvText(rows, form);
  },
  async *xlsx(sheet) {
    const { xlsx } = await import('./xlsx.ts');
    yield* xlsx(sheet, cellsOf(sheet));
  },
  async *json(sheet) {
    const head = escapeJson(JSON.stringify(withVersion(sheet.head ?? {}), null, 2)).slice(0, -2);
    yield `${head},\n  "${sheet.list}": [`;
    let before = '\n    ';
    for await (const objects of objectsOf(sheet)) {
      yield before + objects.join(',\n    ');
      before = ',\n    ';
    }
    yield '\n  ]\n}\n';
  },
  async *ndjson(sheet) {
    for await (const objects of objectsOf(sheet)) yield `${objects.join('\n')}\n`;
  },
};

/** Rows that are written at once. */
const atOnce = 500;

async function* someAtOnce({ rows }: Sheet): AsyncGenerator<readonly object[]> {
  let some: object[] = [];
  for await (const row of rows) {
    if (!Array.isArray(row)) some.push(row);
    else if (row.length > 0) yield row as object[];
    if (some.length < atOnce) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

async function* cellsOf(sheet: Sheet): AsyncGenerator<(readonly Cell[])[]> {
  const { columns, cells = (row: object) => columns.map((column) => cellOf(fieldOf(row, column))) } = sheet;
  for await (const rows of someAtOnce(sheet)) yield rows.map((row) => cells(row));
}

async function* objectsOf(sheet: Sheet): AsyncGenerator<string[]> {
  const { columns, cells } = sheet;
  const ofColumns = (row: object) => Object.fromEntries(columns.map((column) => [column, fieldOf(row, column)]));
  for await (const rows of someAtOnce(sheet))
    yield rows.map((row) => escapeJson(JSON.stringify(cells ? row : ofColumns(row))));
}

const fieldOf = (row: object, column: string): unknown => (row as Record<string, unknown>)[column];

function cellOf(value: unknown): Cell {
  return Array.isArray(value) ? listCell(value as string[]) : ((value ?? null) as Cell);
}

/** The format that a path asks for by its ending. Throws an InputError, which begins with `flag`, for any other. */
export function formatOf<Format extends string>(path: string, formats: readonly Format[], flag = ''): Format {
  const ending = extname(path).slice(1).toLowerCase();
  const format = formats.find((one) => one === ending);
  if (format) return format;
  const known = formats.map((one) => `.${one}`).join(', ');
  throw new InputError(`${flag}${escapeText(path)}: its name must end in one of ${known}`);
}

/** How a list is written there: as its ending says, else as CSV. Throws an InputError where `excel` is about none. */
export function sheetForm(path: string, excel = false): { format: SheetFormat; excel: boolean } {
  const format = sheetFormats.find((one) => path.toLowerCase().endsWith(`.${one}`)) ?? 'csv';
  if (format !== 'csv') checkExcel(path, excel);
  return { format, excel };
}

/** Throws an InputError if the form for Excel is asked for and the file is none of CSV. */
export function checkExcel(path: string, excel: boolean): void {
  if (!excel || extname(path).toLowerCase() === '.csv') return;
  throw new InputError(
    `Only CSV has a form for Excel, and ${escapeText(path)} is no CSV file. Leave that form out, or end the name in .csv.`,
  );
}
