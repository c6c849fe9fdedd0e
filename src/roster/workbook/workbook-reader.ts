// Reads the chosen sheets of a workbook as rows.
import { HeaderAgain } from '../../core/rows/header-again.ts';
import type { Reject, RosterForm, Row } from '../../core/rows/row.ts';
import { Apostrophes } from '../text/apostrophes.ts';
import { headerNotes } from '../text/header.ts';
import { batchRows, known, type RosterFile, withoutText } from '../roster-file.ts';
import { plain, type Chosen, type Table } from './choose-tables.ts';
import type { AnyWorkbook, OddKind, Seen } from './sheet.ts';

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
  const notes: string[] = [];
  if (merged > 0) notes.push(`${sheet} has cells merged over several rows: each of these rows has their value.`);
  if (hidden > 0)
    notes.push(
      `${sheet} has ${hidden === 1 ? 'one hidden row' : `${hidden} hidden rows`} (a filter may be on), read like the others.`,
    );
  if (outside > 0)
    notes.push(
      `${sheet} has something to the right of its header in ${outside === 1 ? 'one row' : `${outside} rows`}: it was not read.`,
    );
  const say = (kind: OddKind, what: string): void => {
    const odd = oddities.get(kind);
    if (odd) notes.push(`${sheet}, ${odd.cell}${odd.count > 1 ? ` and ${odd.count - 1} more` : ''}: ${what}`);
  };
  say('error', 'an error of Excel (#N/A, #REF! …) counts as an empty cell.');
  say(
    'formula',
    'a formula whose value was never stored counts as an empty cell. Open the file in Excel or LibreOffice, save it, and import that.',
  );
  say('rounded', 'a number of more than 15 digits, of which Excel has lost the last ones. Keep ids as text.');
  say(
    'scientific',
    'a number that was shortened before it came here: its last digits are lost. Keep ids and telephones as text.',
  );
  return notes;
}
