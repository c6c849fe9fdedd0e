// Reads the chosen sheets of a workbook as rows.
import { HeaderAgain } from '../../core/rows/header-again.ts';
import type { Reject, RosterForm, Row } from '../../core/rows/row.ts';
import { say } from '../../core/words/say.ts';
import { Apostrophes } from '../text/apostrophes.ts';
import { headerNotes } from '../text/header.ts';
import { batchRows, known, type RosterFile, withoutText } from '../roster-file.ts';
import { plain, type Chosen, type Table } from './choose-tables.ts';
import type { AnyWorkbook, Seen } from './sheet.ts';

export interface WorkbookFile {
  file: string;
  sizeBytes: number;
  modifiedAt: Date;
  checksum: string;
}

/** The column that names the sheet of a row, where several are read. */
const sheetColumn = '_sheet';

export class WorkbookReader implements RosterFile {
  readonly form: RosterForm;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  readonly #workbook: AnyWorkbook;
  readonly #tables: readonly Table[];
  readonly #checksum: string;
  #isRead = false;

  constructor(from: WorkbookFile, workbook: AnyWorkbook, { tables, notes }: Chosen) {
    const [first, ...others] = tables;
    const areMany = others.length > 0;
    this.form = {
      file: from.file,
      format: workbook.format,
      ...withoutText,
      header: areMany ? [...first.header, sheetColumn] : first.header,
      headerLine: first.headerLine,
      part: tables.map(({ sheet }) => sheet.name).join(', '),
      notes: [...headerNotes(first.header), ...notes],
    };
    this.sizeBytes = from.sizeBytes;
    this.modifiedAt = from.modifiedAt;
    this.#workbook = workbook;
    this.#tables = tables;
    this.#checksum = from.checksum;
  }

  async *batches(): AsyncGenerator<(Row | Reject)[]> {
    const { notes, header } = this.form;
    const apostrophes = new Apostrophes();
    for (const table of this.#tables) yield* this.#rows(table, apostrophes);
    this.#isRead = true;
    apostrophes.addTo(notes, header);
  }

  async *#rows(table: Table, apostrophes: Apostrophes): AsyncGenerator<(Row | Reject)[]> {
    const { header, headerLine, sheet } = table;
    const width = header.length;
    const areMany = this.#tables.length > 1;
    const file = areMany ? `${this.form.file}/${sheet.name}` : this.form.file;
    const places = this.#places(table);
    const found: Found = { oddities: new Map(), merged: 0, hidden: 0, outside: 0 };
    const again = new HeaderAgain(this.form.header);
    let batch: (Row | Reject)[] = [];
    for await (const rows of this.#workbook.rows(sheet, found, width)) {
      for (const { line, cells: read, uncomputed, isHidden } of rows) {
        if (line <= headerLine) continue;
        if (read.length > width && read.splice(width).some((cell) => cell.trim() !== '')) found.outside++;
        while (read.length < width) read.push('');
        if (read.every((cell) => cell.trim() === '')) continue;
        const cells = places ? places.map((place) => read[place] ?? '') : read;
        apostrophes.strip(cells, line);
        if (cells.every((cell) => cell.trim() === '')) continue;
        if (isHidden) found.hidden++;
        if (areMany) cells.push(sheet.name);
        const row: Row = { file, line, cells };
        if (uncomputed)
          row.uncomputed = this.form.header.filter((_, at) => uncomputed.has(places ? (places[at] ?? at) : at));
        batch.push(again.take(row));
        if (batch.length < batchRows) continue;
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
    const { notes } = this.form;
    for (const note of notesOf(found, sheet.name)) if (!notes.includes(note)) notes.push(note);
  }

  /** Where a table has the columns of the first one; undefined if they stand in the same places. */
  #places({ header }: Table): number[] | undefined {
    const wanted = this.#tables[0]?.header ?? header;
    const free = Map.groupBy(header.keys(), (at) => plain(header[at] ?? ''));
    // Columns of one name take their places in turn. Thousands can be unnamed, so none is searched for.
    for (const those of free.values()) those.reverse();
    const places = wanted.map((name) => free.get(plain(name))?.pop() ?? -1);
    return places.every((place, at) => place === at) ? undefined : places;
  }

  checksum(): string {
    return known(this.#isRead ? this.#checksum : undefined);
  }

  close(): Promise<void> {
    return this.#workbook.close();
  }
}

interface Found extends Seen {
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
