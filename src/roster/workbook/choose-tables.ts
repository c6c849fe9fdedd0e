// Chooses the sheets that hold people, or asks.
import { EmptyTable, InputError, SheetQuestion, type SheetReading, refusal } from '../../core/errors.ts';
import { cleanCell, isEmailAddress } from '../../core/cells/read-cell.ts';
import { surveyColumns } from '../../core/columns/column-survey.ts';
import { addressesSeen, seemPeople } from '../../core/mapping/unsettled-columns.ts';
import { quote } from '../../core/text/format.ts';
import { say } from '../../core/words/say.ts';
import { findHeader, namesFields } from '../text/header.ts';
import type { OpenOptions } from '../roster-file.ts';
import { type AnyWorkbook, type NamedSheet, nothingNoticed, type SheetRow } from './sheet-builder.ts';

/** The number of rows in which the header is searched. */
const sampleRows = 100;

export interface Table {
  sheet: NamedSheet;
  headerLine: number;
  header: string[];
}

interface Found extends Table {
  isPeople: boolean;
}

export interface Chosen {
  tables: [Table, ...Table[]];
  notes: string[];
  /** Of all sheets, those of people, also where nobody is left on them; */
  sheets?: string[];
  /** and whether people are, or were, on others too, which are not read. */
  hidesOthers?: boolean;
}

type Asked = Pick<OpenOptions, 'sheet' | 'allSheets' | 'headerLine'>;

/** Throws an `InputError` if that is none, and a `SheetQuestion` where it is several. */
export async function chooseTables(workbook: AnyWorkbook, asked: Asked, file: string): Promise<Chosen> {
  const { headerLine } = asked;
  if (asked.sheet !== undefined) {
    const sheet = sheetNamed(workbook.sheets, asked.sheet, file);
    const table = await tableOf(workbook, sheet, headerLine);
    if (!table || table.isEmpty)
      throw new InputError(`${file}: the sheet ${quote(sheet.name)} has no header with people below it.`);
    return { tables: [table], notes: [] };
  }
  const all: Found[] = [];
  let hasHeader = false;
  const hidden: Found[] = [];
  const empty: Found[] = [];
  for (const sheet of workbook.sheets) {
    if (sheet.isHidden && !asked.allSheets) continue;
    const table = await tableOf(workbook, sheet, headerLine);
    // A person without a header above is no empty table.
    if (!sheet.isHidden) hasHeader ||= table?.header.some((cell) => isEmailAddress(cleanCell(cell))) === false;
    if (table) (table.isEmpty ? empty : sheet.isHidden ? hidden : all).push(table);
  }
  const named = all.filter(({ header }) => namesFields(header));
  const people = named.length > 0 ? named : all.filter(({ isPeople }) => isPeople);
  if (people.length === 0 && workbook.nobody !== undefined) throw new InputError(`${file}: ${workbook.nobody}`);
  const [first, ...others] = people.length > 0 ? people : all;
  if (!first) {
    const Refusal = hasHeader ? EmptyTable : InputError;
    throw new Refusal(`${file}: no sheet of the workbook has a header with people below it.`);
  }
  if (others.length > 0 && !asked.allSheets) throw new SheetQuestion(file, await describe(workbook, all));
  const tables = alike([first, ...others], file);
  const mayBePeople = ({ isPeople, sheet }: Found): boolean => isPeople || (people.length === 0 && !sheet.isHidden);
  const unread = [...all, ...hidden].filter((one) => !tables.includes(one) && mayBePeople(one));
  const why = asked.allSheets ? 'otherColumns' : 'otherSheet';
  const notes = unread.map(({ sheet }) => say(sheet.isHidden ? 'hiddenSheet' : why, 1, { sheet: quote(sheet.name) }));
  if (!asked.allSheets) return { tables, notes };
  // Its people may come back: a sheet that is filled by hand, or an export of which one part failed.
  const emptied = empty.filter(({ header }) => namesFields(header));
  for (const { sheet } of emptied) notes.push(say('emptySheet', 1, { sheet: quote(sheet.name) }));
  const sheets = [...tables, ...emptied].map(({ sheet }) => sheet.name);
  return { tables, notes, sheets, hidesOthers: unread.length + emptied.length > 0 };
}

/** Those that have the same columns, of which there are most. Throws an `InputError` where that is none. */
function alike(found: readonly Found[], file: string): [Found, ...Found[]] {
  const sets = Map.groupBy(found, ({ header }) => JSON.stringify(header.map(plain).toSorted()));
  const [most = [], next = []] = [...sets.values()].toSorted((a, b) => b.length - a.length);
  const [first, ...others] = most;
  if (!first || most.length === next.length) {
    const names = found.map(({ sheet }) => quote(sheet.name)).join(', ');
    throw refusal('differentColumns', { file, names }, { next: [{ setting: 'read.sheet', value: 'NAME' }] });
  }
  return [first, ...others];
}

/** The name of a column as columns of several sheets are compared. */
export function plain(name: string): string {
  return name.trim().toLowerCase();
}

async function describe(workbook: AnyWorkbook, found: readonly Found[]): Promise<SheetReading[]> {
  const readings: SheetReading[] = [];
  for (const { sheet, header, headerLine, isPeople } of found) {
    let rows = 0;
    for await (const some of workbook.rows(sheet, nothingNoticed(), 0)) {
      for (const { line } of some) if (line > headerLine) rows++;
    }
    const columns = header.filter((name) => name.trim() !== '').length;
    readings.push({ name: sheet.name, rows, columns, isPeople });
  }
  return readings;
}

function sheetNamed(sheets: readonly NamedSheet[], asked: string, file: string): NamedSheet {
  const wanted = plain(asked);
  const found = sheets.find(({ name }) => name === asked) ?? sheets.find(({ name }) => plain(name) === wanted);
  if (found) return found;
  const names = sheets.map(({ name }) => quote(name)).join(', ');
  throw new InputError(`${file}: it has no sheet ${quote(asked)}. Its sheets are ${names}.`);
}

/** The table of a sheet, and whether nobody is in it; undefined if there is none. */
async function tableOf(
  workbook: AnyWorkbook,
  sheet: NamedSheet,
  headerLine: number | undefined,
): Promise<(Found & { isEmpty: boolean }) | undefined> {
  const rows: SheetRow[] = [];
  for await (const some of workbook.rows(sheet, nothingNoticed(), 0)) {
    rows.push(...some);
    if (rows.length > sampleRows) break;
  }
  const said = headerLine === undefined ? -1 : rows.findIndex(({ line }) => line >= headerLine);
  const at = said >= 0 ? said : findHeader(rows.slice(0, sampleRows).map(({ cells }) => cells));
  const header = rows[at];
  if (!header) return undefined;
  const surveys = surveyColumns(header.cells);
  for (const { cells } of rows.slice(at + 1)) for (const survey of surveys) survey.add(cells[survey.index] ?? '');
  const isPeople = namesFields(header.cells) || seemPeople(surveys, addressesSeen(surveys));
  return { sheet, headerLine: header.line, header: header.cells, isPeople, isEmpty: rows.length <= at + 1 };
}
