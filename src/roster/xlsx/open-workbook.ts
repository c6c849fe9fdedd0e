import { createHash } from 'node:crypto';
import { InputError } from '../../core/errors.ts';
import type { RosterBytes } from '../bytes.ts';
import { findHeader, headerNotes, namesFields } from '../header.ts';
import type { ReadLimits } from '../limits.ts';
import type { Opening } from '../opening.ts';
import type { RosterFile } from '../roster-file.ts';
import { readSheetRows, type SheetRow } from './sheet-rows.ts';
import { WorkbookReader, type Table } from './workbook-reader.ts';
import { Package, readWorkbook, type Sheet, type Workbook } from './workbook.ts';
import { quote } from '../../core/quote.ts';

/** Rows that are looked at to find the header. */
const sampleRows = 100;

/**
 * Opens an Excel workbook (.xlsx, .xlsm): the sheet that is named, else the one whose header names a person. Throws
 * an `InputError` where that is none or several, where the workbook is damaged, or beyond the limits.
 */
export async function openWorkbook(bytes: RosterBytes, { options, limits }: Opening): Promise<RosterFile> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of bytes.chunks()) hash.update(chunk);
    const { workbook, table } = await one(look(bytes, options, limits));
    const notes = headerNotes(table.header);
    return new WorkbookReader(bytes, workbook, table, { limits, checksum: hash.digest('hex'), notes });
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** What was said of where the table is. */
type Asked = Pick<Opening['options'], 'sheet' | 'headerLine'>;

interface Looked {
  workbook: Workbook;
  table: Table;
}

async function one<T>(values: AsyncIterable<T>): Promise<T> {
  for await (const value of values) return value;
  throw new Error('nothing came');
}

async function* look(bytes: RosterBytes, asked: Asked, limits: ReadLimits): AsyncGenerator<Looked> {
  yield* bytes.within(async function* (fd) {
    const pack = await Package.open(fd, bytes.file, limits);
    const workbook = await readWorkbook(pack);
    yield { workbook, table: await chooseTable(pack, workbook, asked) };
  });
}

async function chooseTable(pack: Package, workbook: Workbook, { sheet: asked, headerLine }: Asked): Promise<Table> {
  const { file } = pack;
  if (asked !== undefined) {
    const sheet = sheetNamed(workbook.sheets, asked, file);
    const table = await tableOf(pack, sheet, workbook, headerLine);
    if (!table) throw new InputError(`${file}: the sheet ${quote(sheet.name)} has no header with people below it.`);
    return table;
  }
  const tables: (Table & { isPeople: boolean })[] = [];
  for (const sheet of workbook.sheets) {
    const table = sheet.isHidden ? undefined : await tableOf(pack, sheet, workbook, headerLine);
    if (table) tables.push({ ...table, isPeople: namesFields(table.header) });
  }
  const people = tables.filter(({ isPeople }) => isPeople);
  const [first, ...others] = people.length > 0 ? people : tables;
  if (!first) throw new InputError(`${file}: no sheet of the workbook has a header with people below it.`);
  if (others.length === 0) return first;
  const names = [first, ...others].map(({ sheet }) => quote(sheet.name)).join(', ');
  throw new InputError(`${file}: the people can be on several sheets: ${names}. Say which with --sheet NAME.`);
}

function sheetNamed(sheets: readonly Sheet[], asked: string, file: string): Sheet {
  const wanted = asked.trim().toLowerCase();
  const found =
    sheets.find(({ name }) => name === asked) ?? sheets.find(({ name }) => name.trim().toLowerCase() === wanted);
  if (found) return found;
  const names = sheets.map(({ name }) => quote(name)).join(', ');
  throw new InputError(`${file}: it has no sheet ${quote(asked)}. Its sheets are ${names}.`);
}

/** The table of a sheet; undefined where there is none, or nobody in it. */
async function tableOf(
  pack: Package,
  sheet: Sheet,
  workbook: Workbook,
  headerLine: number | undefined,
): Promise<Table | undefined> {
  const rows: SheetRow[] = [];
  for await (const some of readSheetRows(pack, sheet, workbook)) {
    rows.push(...some);
    if (rows.length > sampleRows) break;
  }
  const said = headerLine === undefined ? -1 : rows.findIndex(({ line }) => line >= headerLine);
  const at = said >= 0 ? said : findHeader(rows.slice(0, sampleRows).map(({ cells }) => cells));
  const header = rows[at];
  if (!header || rows.length <= at + 1) return undefined;
  return { sheet, headerLine: header.line, header: header.cells };
}
