// Reads what the sheets of an .xls workbook share: texts and formats.
import { setImmediate } from 'node:timers/promises';
import { InputError } from '../../core/errors.ts';
import type { ReadLimits } from '../files/limits.ts';
import { beforeExcel97 } from '../files/magic.ts';
import { numberKind, type NumberKind } from '../xlsx/number-format.ts';
import { type BiffRecord, RecordReader, recordsOf } from './biff-records.ts';

/** The records that are read, by their numbers (MS-XLS, 2.3.2). */
export const records = {
  begin: 0x0809,
  end: 0x000a,
  locked: 0x002f,
  from1904: 0x0022,
  sheet: 0x0085,
  format: 0x041e,
  style: 0x00e0,
  texts: 0x00fc,
  row: 0x0208,
  merged: 0x00e5,
  shared: 0x00fd,
  label: 0x0204,
  number: 0x0203,
  short: 0x027e,
  shorts: 0x00bd,
  flag: 0x0205,
  formula: 0x0006,
  string: 0x0207,
} as const;

interface XlsSheet {
  name: string;
  isHidden: boolean;
  offset: number;
}

export interface Globals {
  sheets: XlsSheet[];
  texts: string[];
  /** By the number that a cell gives for its style. */
  kinds: NumberKind[];
  is1904: boolean;
}

/** The version of Excel 97 and later, BIFF8, whose texts are Unicode. */
const biff8 = 0x0600;
/** Records that are read before others have their turn. */
export const turn = 20_000;
/** Cells name their style in two bytes. */
const mostStyles = 65_536;

/** A style of a sheet that is no table: charts, macros. */
const worksheet = 0;

/** Throws an `InputError` for a workbook that is locked or from before Excel 97, a `RangeError` for a damaged one. */
export async function readGlobals(stream: Buffer, file: string, limits: ReadLimits): Promise<Globals> {
  const globals: Globals = { sheets: [], texts: [], kinds: [], is1904: false };
  if (stream.readUInt16LE(0) !== records.begin) throw new RangeError('it begins with another record');
  if (stream.readUInt16LE(4) < biff8) throw new InputError(`${file}: ${beforeExcel97}`);
  const formats = new Map<number, string>();
  const styles: number[] = [];
  let isEnded = false;
  let count = 0;
  for (const record of recordsOf(stream, 0, { left: stream.length })) {
    if (++count % turn === 0) await setImmediate();
    isEnded = record.type === records.end;
    if (isEnded) break;
    takeGlobal(record, globals, { formats, styles, file, limits });
  }
  if (!isEnded) throw new RangeError('its first part does not end');
  const kinds = new Map([...new Set(styles)].map((id) => [id, numberKind(id, formats.get(id))]));
  globals.kinds = styles.map((id) => kinds.get(id) ?? { kind: 'plain' });
  return globals;
}

interface Taking {
  formats: Map<number, string>;
  styles: number[];
  file: string;
  limits: ReadLimits;
}

function takeGlobal(record: BiffRecord, globals: Globals, { formats, styles, file, limits }: Taking): void {
  const [data] = record.parts;
  const reader = new RecordReader(record);
  switch (record.type) {
    case records.locked:
      throw new InputError(
        `${file}: this workbook is locked with a password. Open it, save it without the password, and import that.`,
      );
    case records.from1904:
      globals.is1904 = reader.short() === 1;
      return;
    case records.sheet: {
      const offset = reader.long();
      const isHidden = (reader.byte() & 3) !== 0;
      if (reader.byte() !== worksheet) return;
      const name = reader.text(1);
      if (globals.sheets.length >= limits.files) {
        throw new InputError(`${file}: it has more than ${limits.files} sheets. Is it the right file?`);
      }
      globals.sheets.push({ name, isHidden, offset });
      return;
    }
    case records.format: {
      formats.set(reader.short(), reader.text());
      return;
    }
    case records.style:
      if (styles.length < mostStyles) styles.push(data.readUInt16LE(2));
      return;
    case records.texts: {
      reader.skip(4);
      const count = reader.long();
      let characters = 0;
      for (let at = 0; at < count; at++) {
        const text = reader.text();
        characters += text.length + 16;
        if (characters > limits.texts) {
          throw new InputError(
            `${file}: the workbook has more text than ${limits.texts} characters, which would be held in memory. Save it as CSV UTF-8 and import that.`,
          );
        }
        globals.texts.push(text);
      }
    }
  }
}
