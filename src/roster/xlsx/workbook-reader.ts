import type { Reject, RosterForm, Row } from '../../core/row.ts';
import { Apostrophes } from '../apostrophes.ts';
import type { RosterBytes } from '../bytes.ts';
import type { ReadLimits } from '../limits.ts';
import { batchRows, type RosterFile } from '../roster-file.ts';
import { MergeFiller, readMerges } from './merged-cells.ts';
import { readSheetRows, type Oddities } from './sheet-rows.ts';
import { Package, type Sheet, type Workbook } from './workbook.ts';

/** A sheet that was chosen, and where its header is. */
export interface Table {
  sheet: Sheet;
  headerLine: number;
  header: string[];
}

/** Reads a sheet of a workbook. The line of a row is its number in the sheet. */
export class WorkbookReader implements RosterFile {
  readonly form: RosterForm;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  readonly #bytes: RosterBytes;
  readonly #workbook: Workbook;
  readonly #table: Table;
  readonly #limits: ReadLimits;
  readonly #checksum: string;
  #isRead = false;

  constructor(
    bytes: RosterBytes,
    workbook: Workbook,
    table: Table,
    { limits, checksum, notes }: { limits: ReadLimits; checksum: string; notes: string[] },
  ) {
    this.form = {
      ...{ file: bytes.file, format: 'xlsx', encoding: 'utf-8', bom: false, delimiter: ',', newline: '\n' },
      ...{ header: table.header, headerLine: table.headerLine, part: table.sheet.name, notes },
    };
    this.sizeBytes = bytes.sizeBytes;
    this.modifiedAt = bytes.modifiedAt;
    this.#bytes = bytes;
    this.#workbook = workbook;
    this.#table = table;
    this.#limits = limits;
    this.#checksum = checksum;
  }

  async *batches(): AsyncGenerator<(Row | Reject)[]> {
    const { file, header } = this.form;
    const { sheet, headerLine } = this.#table;
    const width = header.length;
    const found: Found = { oddities: new Map(), hidden: 0, outside: 0, merged: 0 };
    const apostrophes = new Apostrophes();
    const rows = this.#rows(found);
    let batch: Row[] = [];
    for await (const { line, cells, isHidden } of rows) {
      if (line <= headerLine) continue;
      if (cells.length > width && cells.splice(width).some((cell) => cell.trim() !== '')) found.outside++;
      while (cells.length < width) cells.push('');
      apostrophes.strip(cells, line);
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (isHidden) found.hidden++;
      batch.push({ file, line, cells });
      if (batch.length < batchRows) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
    this.#isRead = true;
    apostrophes.addTo(this.form.notes, header);
    for (const note of notesOf(found, sheet.name)) if (!this.form.notes.includes(note)) this.form.notes.push(note);
  }

  async *#rows(found: Found) {
    const { file } = this.form;
    const [limits, workbook, { sheet, header }] = [this.#limits, this.#workbook, this.#table];
    yield* this.#bytes.within(async function* (fd) {
      const pack = await Package.open(fd, file, limits);
      const merges = await readMerges(pack, sheet);
      found.merged = merges.length;
      const filler = new MergeFiller(merges, header.length);
      for await (const rows of readSheetRows(pack, sheet, workbook, found.oddities)) {
        for (const row of rows) {
          filler.fill(row.line, row.cells);
          yield row;
        }
      }
    });
  }

  checksum(): string {
    if (!this.#isRead) throw new Error('The checksum is known once all rows have been read.');
    return this.#checksum;
  }

  async close(): Promise<void> {
    await this.#bytes.close();
  }
}

/** What was met while a sheet was read. */
interface Found {
  oddities: Oddities;
  hidden: number;
  /** Rows with something to the right of the header. */
  outside: number;
  merged: number;
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
  const say = (kind: 'error' | 'formula' | 'rounded' | 'scientific', what: string): void => {
    const odd = oddities.get(kind);
    if (odd) notes.push(`${sheet}, ${odd.cell}${odd.count > 1 ? ` and ${odd.count - 1} more` : ''}: ${what}`);
  };
  say('error', 'an error of Excel (#N/A, #REF! …) counts as an empty cell.');
  say(
    'formula',
    'a formula without a result counts as an empty cell. Open the workbook in Excel, save it, and import that.',
  );
  say('rounded', 'a number of more than 15 digits, of which Excel has lost the last ones. Keep ids as text.');
  say(
    'scientific',
    'a number that was shortened before it came here: its last digits are lost. Keep ids and telephones as text.',
  );
  return notes;
}
