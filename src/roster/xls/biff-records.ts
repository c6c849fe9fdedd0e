// Reads the binary records of an .xls workbook.

/** A record of an old workbook, with what continues it. */
export interface BiffRecord {
  type: number;
  /** Its bytes; those of each CONTINUE record that follows it stand for themselves. */
  parts: readonly [Buffer, ...Buffer[]];
}

const continued = 0x3c;
/** All texts that a workbook may have take a third of these. */
const mostParts = 100_000;

/** The bytes that may still be read; sheets do not share their records. */
export interface Budget {
  left: number;
}

/**
 * Throws a `RangeError` where the budget is spent: then sheets stand in each other, and reading them could take days.
 */
export function* recordsOf(stream: Buffer, from: number, budget: Budget): Generator<BiffRecord> {
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
    if (this.#left === 0 && count > 0) this.#turn();
    const part = this.#parts[this.#part];
    if (!part || this.#left < count) throw new RangeError('a record is too short');
    this.#at += count;
    return part.subarray(this.#at - count, this.#at);
  }

  #turn(): void {
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
      if (this.#left === 0) this.#turn();
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
        this.#turn();
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
