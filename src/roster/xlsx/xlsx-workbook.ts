// Opens an .xlsx workbook as sheets.
import type { RosterBytes } from '../files/bytes.ts';
import type { ReadLimits } from '../files/limits.ts';
import { type AnyWorkbook, assertRowLength, type NamedSheet, type Seen, type SheetRow } from '../workbook/sheet.ts';
import { MergeFiller, readMerges } from './merged-cells.ts';
import { readSheetRows } from './sheet-rows.ts';
import { Package, readWorkbook, type Sheet, type Workbook } from './workbook.ts';

export class XlsxWorkbook implements AnyWorkbook {
  readonly format = 'xlsx';
  readonly sheets: readonly Sheet[];
  readonly #bytes: RosterBytes;
  readonly #workbook: Workbook;
  readonly #limits: ReadLimits;

  private constructor(bytes: RosterBytes, workbook: Workbook, limits: ReadLimits) {
    this.sheets = workbook.sheets;
    this.#bytes = bytes;
    this.#workbook = workbook;
    this.#limits = limits;
  }

  /** Reads what its sheets share. Throws an `InputError` if it is damaged or beyond the limits. */
  static async open(bytes: RosterBytes, limits: ReadLimits): Promise<XlsxWorkbook> {
    const read = bytes.within(async function* (fd) {
      yield await readWorkbook(await Package.open(fd, bytes.file, limits));
    });
    for await (const workbook of read) return new XlsxWorkbook(bytes, workbook, limits);
    throw new Error('The workbook was not opened.');
  }

  async *rows(wanted: NamedSheet, seen: Seen, width: number): AsyncGenerator<SheetRow[]> {
    const sheet = this.sheets.find((one) => one === wanted);
    if (!sheet) return;
    const [{ file }, workbook, limits] = [this.#bytes, this.#workbook, this.#limits];
    yield* this.#bytes.within(async function* (fd) {
      const pack = await Package.open(fd, file, limits);
      // Reading them takes a pass over the sheet.
      const merges = width > 0 ? await readMerges(pack, sheet) : [];
      seen.merged = merges.length;
      const filler = new MergeFiller(merges, width, file, limits);
      for await (const rows of readSheetRows(pack, sheet, workbook, seen.oddities)) {
        for (const { line, cells } of rows) {
          filler.fill(line, cells);
          assertRowLength(cells, file, limits);
        }
        yield rows;
      }
    });
  }

  close(): Promise<void> {
    return this.#bytes.close();
  }
}
