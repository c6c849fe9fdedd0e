// Reads the cells of an .xls workbook.
import { refusal, InputError } from '../../core/errors.ts';
import { setImmediate } from 'node:timers/promises';
import { sayBytes, type ReadLimits } from '../files/limits.ts';
import { SheetBuilder, type SheetPart } from '../workbook/sheet-builder.ts';
import { mostMerges, type Merge } from '../xlsx/open-xlsx.ts';
import { isRounded, writeCell } from '../xlsx/number-format.ts';
import {
  type BiffRecord,
  RecordReader,
  recordsOf,
  type Globals,
  readGlobals,
  records,
  recordsAtOnce,
} from './xls-globals.ts';
import { openCompoundFile } from './compound-file.ts';

/** Cells of a sheet and characters in them that are held at a time count towards `limits.texts`, each cell as so many. */
const cellCharacters = 16;
/** Errors by their codes. */
const errors: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};
/** The columns that an old workbook can have. */
const mostColumns = 256;

/** Bytes and cells of one sheet are in memory. Throws an `InputError` if locked, older, damaged, or too large. */
export async function* readXls(bytes: Buffer, file: string, limits: ReadLimits): AsyncGenerator<SheetPart[]> {
  const stream = streamOf(bytes, file);
  const builder = new SheetBuilder(file, limits);
  try {
    const globals = await readGlobals(stream, file, limits);
    const budget = { left: stream.length };
    for (const { name, isHidden, offset } of globals.sheets) {
      builder.begin({ name, isHidden });
      const sheet = sheetCells(globals, builder, file, limits);
      let count = 0;
      for (const record of recordsOf(stream, offset, budget)) {
        if (sheet.take(record)) break;
        if (++count % recordsAtOnce === 0) await setImmediate();
      }
      for (const line of sheet.end()) if (line % 500 === 0) yield builder.take();
      yield builder.take();
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(`${file}: the workbook is damaged or cut off. Fetch it again.`, { cause: error });
  }
}

function streamOf(bytes: Buffer, file: string): Buffer {
  // Some systems write the records alone.
  if (bytes.readUInt16LE(0) === records.begin) return bytes;
  const compound = openCompoundFile(bytes, file);
  const stream = compound.read('Workbook') ?? compound.read('Book');
  if (stream) return stream;
  const isOutlook = compound.has('__properties_version1.0');
  const what = isOutlook ? 'an e-mail' : compound.has('WordDocument') ? 'a Word document' : 'a file of old Office';
  throw new InputError(`${file}: this is ${what}, not a workbook. Ask for the same list as CSV or .xlsx.`);
}

/** Takes the cells of a sheet, which can come in any order, and gives them to the builder row by row. */
function sheetCells({ texts, kinds, is1904 }: Globals, builder: SheetBuilder, file: string, limits: ReadLimits) {
  const rows = new Map<number, string[]>();
  const hidden = new Set<number>();
  const merges: Merge[] = [];
  let depth = 0;
  let held = 0;
  let isEnded = false;
  /** The cell whose formula gives a text, which comes in a record of its own. */
  let waiting: { row: number; column: number } | undefined;

  const put = (row: number, column: number, text: string, isShared = false): void => {
    if (column >= mostColumns) throw new RangeError('a column that no such workbook has');
    if (text === '') return;
    const cells = rows.get(row) ?? [];
    rows.set(row, cells);
    held += (Math.max(0, column + 1 - cells.length) * cellCharacters) / 2 + (isShared ? 0 : text.length);
    if (held > limits.texts) throw refusal('manyCells', { file, most: sayBytes(limits.texts) });
    while (cells.length < column) cells.push('');
    cells[column] = text;
  };
  const number = (row: number, column: number, style: number, value: number): void => {
    if (isRounded(value)) builder.note('rounded', column, row + 1);
    put(row, column, writeCell(String(value), kinds[style] ?? { kind: 'plain' }, is1904));
  };
  /** A value that is true or false (1) or an error (2). */
  const flag = (row: number, column: number, kind: number, value: number): void => {
    if (kind === 1) put(row, column, value === 0 ? 'FALSE' : 'TRUE');
    if (kind === 2) put(row, column, builder.error(errors[value] ?? '#VALUE!', column, row + 1));
  };
  const merge = (data: Buffer): void => {
    for (let at = 2; at + 8 <= data.length; at += 8) {
      const [from, to] = [data.readUInt16LE(at) + 1, data.readUInt16LE(at + 2) + 1];
      if (to > from && merges.length < mostMerges) merges.push({ column: data.readUInt16LE(at + 4), from, to });
    }
  };
  const takeInside = (record: BiffRecord): void => {
    const [data] = record.parts;
    const at = (place: number): number => data.readUInt16LE(place);
    switch (record.type) {
      case records.row:
        if (at(12) & 0x20) hidden.add(at(0));
        return;
      case records.merged:
        return merge(data);
      case records.string:
        if (waiting) put(waiting.row, waiting.column, new RecordReader(record).text());
        waiting = undefined;
        return;
      case records.shared: {
        const text = texts[data.readUInt32LE(6)];
        if (text === undefined) throw new RangeError('a cell has a text that is not there');
        return put(at(0), at(2), text, true);
      }
      case records.label: {
        const reader = new RecordReader(record);
        reader.skip(6);
        return put(at(0), at(2), reader.text());
      }
      case records.number:
        return number(at(0), at(2), at(4), data.readDoubleLE(6));
      case records.short:
        return number(at(0), at(2), at(4), rkOf(data.readInt32LE(6)));
      case records.shorts:
        for (let place = 4, column = at(2); place + 8 <= data.length; place += 6, column++)
          number(at(0), column, at(place), rkOf(data.readInt32LE(place + 2)));
        return;
      case records.flag:
        return flag(at(0), at(2), data.readUInt8(7) === 1 ? 2 : 1, data.readUInt8(6));
      case records.formula: {
        if (at(12) !== 0xffff) return number(at(0), at(2), at(4), data.readDoubleLE(6));
        const kind = data.readUInt8(6);
        if (kind === 0) waiting = { row: at(0), column: at(2) };
        else flag(at(0), at(2), kind, data.readUInt8(8));
      }
    }
  };
  return {
    /** Takes a record. True for the last one of the sheet. */
    take(record: BiffRecord): boolean {
      if (record.type === records.begin) depth++;
      if (record.type === records.end) return (isEnded = --depth === 0);
      // Charts stand within the sheet.
      if (depth === 1) takeInside(record);
      return false;
    },
    /** Gives the builder all rows, and says after which. Throws a `RangeError` if the sheet does not end. */
    *end(): Generator<number> {
      if (!isEnded) throw new RangeError('a sheet does not end');
      const merged = Map.groupBy(merges, ({ from }) => from);
      for (const row of [...rows.keys()].toSorted((a, b) => a - b)) {
        for (const [column, text] of (rows.get(row) ?? []).entries()) builder.cell(column, text);
        for (const { column, to } of merged.get(row + 1) ?? []) builder.span(column, to);
        builder.row(row + 1, hidden.has(row));
        rows.delete(row);
        yield row + 1;
      }
    },
  };
}

/** A number in four bytes (MS-XLS, 2.5.217). */
function rkOf(bits: number): number {
  const isHundredth = (bits & 1) === 1;
  let value = bits >> 2;
  if ((bits & 2) === 0) {
    const buffer = Buffer.alloc(8);
    buffer.writeInt32LE(bits & ~3, 4);
    value = buffer.readDoubleLE(0);
  }
  return isHundredth ? value / 100 : value;
}
