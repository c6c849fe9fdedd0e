// Reads what the sheets of an .xls workbook share: texts and formats.
import { refusal, InputError } from '../../core/errors.ts';
import { setImmediate } from 'node:timers/promises';
import type { ReadLimits } from '../files/limits.ts';
import { beforeExcel97 } from '../files/magic.ts';
import type { NamedSheet } from '../workbook/sheet-builder.ts';
import { numberKind } from '../xlsx/number-format.ts';
import type { Workbook } from '../xlsx/workbook.ts';

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

interface XlsSheet extends NamedSheet {
  offset: number;
}

export interface Globals extends Omit<Workbook, 'sheets'> {
  sheets: XlsSheet[];
}

/** The version of Excel 97 and later, BIFF8, whose texts are Unicode. */
const biff8 = 0x0600;
/** Records that are read before other work goes on. */
export const recordsAtOnce = 20_000;
/** Cells name their style in two bytes. */
const mostStyles = 65_536;

/** The kind of a sheet that is a table; others are charts and macros. */
const worksheet = 0;

/** Throws an `InputError` for a workbook that is locked or from before Excel 97, a `RangeError` for a damaged one. */
export async function readGlobals(stream: Buffer, file: string, limits: ReadLimits): Promise<Globals> {
  if (stream.readUInt16LE(0) !== records.begin) throw new RangeError('it begins with another record');
  if (stream.readUInt16LE(4) < biff8) throw new InputError(`${file}: ${beforeExcel97}`);
  const [sheets, texts]: [XlsSheet[], string[]] = [[], []];
  const formats = new Map<number, string>();
  const styles: number[] = [];
  let is1904 = false;
  let count = 0;
  for (const record of recordsOf(stream, 0, { left: stream.length })) {
    if (++count % recordsAtOnce === 0) await setImmediate();
    const reader = new RecordReader(record);
    switch (record.type) {
      case records.end: {
        const kinds = new Map([...new Set(styles)].map((id) => [id, numberKind(id, formats.get(id))]));
        return {
          sheets,
          texts,
          kinds: styles.map((id) => kinds.get(id) ?? { kind: 'plain' }),
          is1904,
        };
      }
      case records.locked:
        throw refusal('lockedWorkbook', { file });
      case records.from1904:
        is1904 = reader.short() === 1;
        break;
      case records.sheet: {
        const offset = reader.long();
        const isHidden = (reader.byte() & 3) !== 0;
        if (reader.byte() !== worksheet) break;
        if (sheets.length >= limits.files) throw refusal('manySheets', { file, most: limits.files });
        sheets.push({ name: reader.text(1), isHidden, offset });
        break;
      }
      case records.format:
        formats.set(reader.short(), reader.text());
        break;
      case records.style:
        if (styles.length < mostStyles) styles.push(record.parts[0].readUInt16LE(2));
        break;
      case records.texts: {
        reader.skip(4);
        let characters = 0;
        for (let left = reader.long(); left > 0; left--) {
          const text = reader.text();
          characters += text.length + 16;
          if (characters > limits.texts) throw refusal('muchText', { file, most: limits.texts });
          texts.push(text);
        }
      }
    }
  }
  throw new RangeError('its first part does not end');
}

/** A record of an old workbook, with what continues it. */
export interface BiffRecord {
  type: number;
  /** Its bytes; those of each CONTINUE record that follows it stand for themselves. */
  parts: readonly [Buffer, ...Buffer[]];
}

const continued = 0x3c;
/** All texts that a workbook may have take a third of these. */
const mostParts = 100_000;

/**
 * `budget`: the bytes that may still be read, since sheets do not share their records. Throws a `RangeError` where the budget is spent: then sheets stand in each other, and reading them could take days.
 */
export function* recordsOf(stream: Buffer, from: number, budget: { left: number }): Generator<BiffRecord> {
  let at = from;
  const next = (): Buffer => {
    const length = stream.readUInt16LE(at + 2);
    const end = at + 4 + length;
    if (end > stream.length) throw new RangeError('a record is cut off');
    budget.left -= 4 + length;
    if (budget.left < 0) throw new RangeError('sheets share their records');
    const data = stream.subarray(at + 4, end);
    at = end;
    return data;
  };
  while (at + 4 <= stream.length) {
    const type = stream.readUInt16LE(at);
    const parts: [Buffer, ...Buffer[]] = [next()];
    while (at + 4 <= stream.length && stream.readUInt16LE(at) === continued) {
      if (parts.length >= mostParts) throw new RangeError('a record is continued without end');
      parts.push(next());
    }
    yield { type, parts };
  }
}

/** Reads the numbers and texts of a record one after the other, over the borders of its parts. Throws a `RangeError`. */
export class RecordReader {
  readonly #parts: readonly Buffer[];
  #part = 0;
  #at = 0;

  constructor({ parts }: BiffRecord) {
    this.#parts = parts;
  }

  get #left(): number {
    return (this.#parts[this.#part]?.length ?? 0) - this.#at;
  }

  #take(count: number): Buffer {
    if (this.#left === 0 && count > 0) this.#nextPart();
    const part = this.#parts[this.#part];
    if (!part || this.#left < count) throw new RangeError('a record is too short');
    this.#at += count;
    return part.subarray(this.#at - count, this.#at);
  }

  #nextPart(): void {
    if (this.#part + 1 >= this.#parts.length) throw new RangeError('a record is too short');
    this.#part++;
    this.#at = 0;
  }

  byte(): number {
    return this.#take(1).readUInt8();
  }

  short(): number {
    return this.#take(2).readUInt16LE();
  }

  long(): number {
    return this.#take(4).readUInt32LE();
  }

  skip(count: number): void {
    for (let rest = count; rest > 0;) {
      if (this.#left === 0) this.#nextPart();
      const some = Math.min(rest, this.#left);
      this.#at += some;
      rest -= some;
    }
  }

  /** A text of BIFF8 (MS-XLS, 2.5.293 and 2.5.294), whose length is a number of so many bytes. */
  text(lengthBytes: 1 | 2 = 2): string {
    const length = lengthBytes === 1 ? this.byte() : this.short();
    const flags = this.byte();
    const runs = flags & 8 ? this.short() : 0;
    const extra = flags & 4 ? this.long() : 0;
    let isWide = (flags & 1) === 1;
    let text = '';
    for (let rest = length; rest > 0;) {
      if (this.#left === 0) {
        // Each part says again how wide its characters are.
        this.#nextPart();
        isWide = (this.byte() & 1) === 1;
      }
      const count = Math.min(rest, isWide ? this.#left >> 1 : this.#left);
      if (count === 0) throw new RangeError('a text is cut off');
      const bytes = this.#take(isWide ? count * 2 : count);
      text += bytes.toString(isWide ? 'utf16le' : 'latin1');
      rest -= count;
    }
    this.skip(runs * 4 + extra);
    return text;
  }
}
