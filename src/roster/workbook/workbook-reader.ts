// Keeps the sheets of a workbook in a temporary file, and reads the chosen ones as rows.
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { chunkBytes, spool, type RosterBytes } from '../files/bytes.ts';
import type { ReadLimits } from '../files/limits.ts';
import {
  type AnyWorkbook,
  type NamedSheet,
  type Noticed,
  type SheetPart,
  type SheetRow,
  nothingNoticed,
} from './sheet-builder.ts';
import { HeaderAgain } from '../../core/rows/header-again.ts';
import { type Reject, type RosterForm, type Row, sheetColumn, sheetsOf } from '../../core/rows/row.ts';
import { say } from '../../core/words/say.ts';
import { Apostrophes } from '../text/text-notes.ts';
import { headerNotes } from '../text/header.ts';
import { batchRows, known, type RosterFile, withoutText } from '../roster-file.ts';
import { plain, type Chosen, type Table } from './choose-tables.ts';

const readAt = promisify(read);

/** A sheet, and where its rows are in the temporary file, in bytes. */
interface KeptSheet extends NamedSheet {
  seen: Noticed;
  begun: NamedSheet;
  from: number;
  to: number;
}

/**
 * Reads sheets once, and keeps their rows, so that each can be read by itself and more than once. Throws an `InputError`
 * for more than a workbook may unpack to.
 */
export async function keepSheets(
  parts: AsyncIterable<SheetPart[]>,
  { file, limits, ...workbook }: Pick<AnyWorkbook, 'format' | 'nobody'> & { file: string; limits: ReadLimits },
): Promise<AnyWorkbook> {
  const sheets: KeptSheet[] = [];
  const kept = await spool(linesOf(parts, sheets), { file, most: limits.unpacked, modifiedAt: () => new Date(0) });
  return {
    ...workbook,
    sheets,
    async *rows(wanted, seen) {
      const sheet = sheets.find((one) => one === wanted);
      if (!sheet) return;
      for (const [kind, odd] of sheet.seen.oddities) seen.oddities.set(kind, { ...odd });
      seen.merged = sheet.seen.merged;
      yield* kept.within((fd) => rowsWithin(fd, sheet));
    },
    close: () => kept.close(),
  };
}

async function* linesOf(parts: AsyncIterable<SheetPart[]>, sheets: KeptSheet[]): AsyncGenerator<string> {
  let at = 0;
  for await (const some of parts) {
    for (const part of some) {
      if ('sheet' in part) {
        sheets.push({ ...part.sheet, begun: part.sheet, seen: part.seen, from: at, to: at });
        continue;
      }
      if ('dropped' in part) {
        const place = sheets.findIndex(({ begun }) => begun === part.dropped);
        if (place !== -1) sheets.splice(place, 1);
        continue;
      }
      const { line, isHidden, times, cells } = part;
      const text = `${JSON.stringify([line, times, isHidden ? 1 : 0, cells])}\n`;
      at += Buffer.byteLength(text);
      const sheet = sheets.at(-1);
      if (sheet) sheet.to = at;
      yield text;
    }
  }
}

/** The rows that are given at a time, at most. */
const mostAtOnce = 500;

async function* rowsWithin(fd: number, { from, to }: KeptSheet): AsyncGenerator<SheetRow[]> {
  let rest = Buffer.alloc(0);
  let rows: SheetRow[] = [];
  for (let at = from; at < to;) {
    const buffer = Buffer.alloc(Math.min(chunkBytes, to - at));
    const { bytesRead } = await readAt(fd, buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new Error('The temporary file of a workbook ended too early.');
    at += bytesRead;
    const some = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const end = some.lastIndexOf(10) + 1;
    rest = some.subarray(end);
    for (const text of some.toString('utf8', 0, end).split('\n')) {
      if (text === '') continue;
      const [line, times, hidden, cells] = JSON.parse(text) as [number, number, 0 | 1, string[]];
      for (let time = 0; time < times; time++) {
        const own = time === times - 1 ? cells : [...cells];
        rows.push({ line: line + time, cells: own, isHidden: hidden === 1, times: 1 });
        if (rows.length < mostAtOnce) continue;
        yield rows;
        rows = [];
      }
    }
    if (rows.length > 0) yield rows;
    rows = [];
  }
}

export function readTables(
  { file, sizeBytes, modifiedAt }: RosterBytes,
  checksum: string,
  workbook: AnyWorkbook,
  { tables, notes, sheets, hidesOthers = false }: Chosen,
): RosterFile {
  const [first] = tables;
  const form: RosterForm = {
    file,
    format: workbook.format,
    ...withoutText,
    header: tables.length > 1 ? [...first.header, sheetColumn] : first.header,
    headerLine: first.headerLine,
    part: tables.map(({ sheet }) => sheet.name).join(', '),
    ...(sheets && { joined: { of: sheetsOf, files: sheets } }),
    notes: [...headerNotes(first.header), ...notes],
  };
  let isRead = false;
  return {
    form,
    sizeBytes,
    modifiedAt,
    async *batches() {
      const apostrophes = new Apostrophes();
      for (const table of tables) {
        const places = placesOf(table, first);
        const name = tables.length > 1 ? table.sheet.name : undefined;
        yield* rowsOf(table, workbook, { form, places, name, apostrophes, hidesOthers });
      }
      isRead = true;
      apostrophes.addTo(form.notes, form.header);
    },
    checksum: () => known(isRead ? checksum : undefined),
    close: () => workbook.close(),
  };
}

interface TableOptions {
  form: RosterForm;
  places: number[] | undefined;
  /** That of the sheet, where several are read. */
  name: string | undefined;
  apostrophes: Apostrophes;
  hidesOthers: boolean;
}

async function* rowsOf(
  { header, headerLine, sheet }: Table,
  workbook: AnyWorkbook,
  { form, places, name, apostrophes, hidesOthers }: TableOptions,
): AsyncGenerator<(Row | Reject)[]> {
  const width = header.length;
  const file = name === undefined ? form.file : `${form.file}/${name}`;
  const found: Found = { ...nothingNoticed(), hidden: 0, outside: 0 };
  const again = new HeaderAgain(name === undefined ? form.header : form.header.slice(0, -1));
  let batch: (Row | Reject)[] = [];
  for await (const rows of workbook.rows(sheet, found, width)) {
    for (const { line, cells: read, isHidden } of rows) {
      if (line <= headerLine) continue;
      if (read.length > width && read.splice(width).some((cell) => cell.trim() !== '')) found.outside++;
      while (read.length < width) read.push('');
      if (read.every((cell) => cell.trim() === '')) continue;
      const cells = places ? places.map((place) => read[place] ?? '') : read;
      apostrophes.strip(cells, line);
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (isHidden) found.hidden++;
      const row = again.take({ file, line, cells, ...(hidesOthers && { hidesOthers }) });
      // After the row is taken: a header that comes again does not have it.
      if (name !== undefined) row.cells.push(name);
      batch.push(row);
      if (batch.length < batchRows) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
  for (const note of notesOf(found, sheet.name)) if (!form.notes.includes(note)) form.notes.push(note);
}

/** Where a table has the columns of the first one; undefined if they stand in the same places. */
function placesOf({ header }: Table, first: Table): number[] | undefined {
  const free = Map.groupBy(header.keys(), (at) => plain(header[at] ?? ''));
  // Columns of one name take their places in turn. Thousands can be unnamed, so none is searched for.
  for (const those of free.values()) those.reverse();
  const places = first.header.map((name) => free.get(plain(name))?.pop() ?? -1);
  return places.every((place, at) => place === at) ? undefined : places;
}

interface Found extends Noticed {
  hidden: number;
  /** Rows with something to the right of the header. */
  outside: number;
}

function notesOf({ oddities, hidden, outside, merged }: Found, sheet: string): string[] {
  const counted = Object.entries({ mergedCells: merged, hiddenRows: hidden, outsideRows: outside });
  const odd = (['error', 'formula', 'rounded', 'scientific'] as const).flatMap((kind) => {
    const { cell = '', count = 0 } = oddities.get(kind) ?? {};
    const cells = count > 1 ? `${cell} and ${count - 1} more` : cell;
    return count > 0 ? [say(`${kind}Cells`, count, { sheet, cells })] : [];
  });
  return [...counted.flatMap(([what, count]) => (count > 0 ? [say(what, count, { sheet })] : [])), ...odd];
}
