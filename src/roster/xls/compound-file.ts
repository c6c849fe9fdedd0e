// Reads the streams of a compound file, the container of old Office files.
import { InputError } from '../../core/errors.ts';

/** Marks of the end of a chain of sectors, and of none. */
const endOfChain = 0xfffffffe;
const none = 0xffffffff;
const entryBytes = 128;
/** Streams and folders of a file; a workbook has about ten, and some more for each macro. */
const mostEntries = 10_000;
/** A stream is mini below this many bytes (MS-CFB, 2.2). */
const mostOfMini = 4096;

interface Entry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

/** The streams of a compound file (MS-CFB), which `.xls` and other files of old Office are. */
export class CompoundFile {
  readonly #bytes: Buffer;
  readonly #file: string;
  readonly #sectorBytes: number;
  readonly #fat: number[] = [];
  readonly #miniFat: number[];
  readonly #mini: Buffer;
  readonly #miniCutoff: number;
  readonly #top = new Map<string, Entry>();

  /** Throws an `InputError` if the file is damaged or cut off. */
  constructor(bytes: Buffer, file: string) {
    this.#bytes = bytes;
    this.#file = file;
    if (bytes.length < 512) throw this.#damage();
    const shift = bytes.readUInt16LE(30);
    if (shift !== 9 && shift !== 12) throw this.#damage();
    this.#sectorBytes = 1 << shift;
    this.#miniCutoff = Math.min(bytes.readUInt32LE(56), mostOfMini);
    // Entries for sectors beyond the file only take memory.
    const sectors = Math.ceil(bytes.length / this.#sectorBytes);
    for (const sector of this.#fatSectors()) {
      if (this.#fat.length >= sectors) break;
      this.#fat.push(...wordsOf(this.#sector(sector)));
    }
    const entries = this.#entries(bytes.readUInt32LE(48));
    const [root] = entries;
    if (!root) throw this.#damage();
    this.#mini = this.#chain(root.start, mostEntries * mostOfMini);
    // Four bytes for each 64 of those.
    this.#miniFat = wordsOf(this.#chain(bytes.readUInt32LE(60), (mostEntries * mostOfMini) / 16));
    this.#climb(entries, root.child);
  }

  has(name: string): boolean {
    return this.#top.has(name.toLowerCase());
  }

  /** What a stream holds; undefined if there is none of this name. */
  read(name: string): Buffer | undefined {
    const entry = this.#top.get(name.toLowerCase());
    if (entry?.type !== 2) return undefined;
    const whole = entry.size < this.#miniCutoff ? this.#miniChain(entry.start) : this.#chain(entry.start);
    if (whole.length < entry.size) throw this.#damage();
    return whole.subarray(0, entry.size);
  }

  #fatSectors(): number[] {
    const isUsed = (sector: number): boolean => sector < endOfChain;
    const sectors = wordsOf(this.#bytes.subarray(76, 512)).filter(isUsed);
    const seen = new Set<number>();
    for (let next = this.#bytes.readUInt32LE(68); next < endOfChain;) {
      if (seen.has(next)) throw this.#damage();
      seen.add(next);
      const words = wordsOf(this.#sector(next));
      next = words.pop() ?? none;
      sectors.push(...words.filter(isUsed));
      if (sectors.length * this.#sectorBytes > this.#bytes.length) throw this.#damage();
    }
    return sectors;
  }

  #sector(number: number): Buffer {
    const from = (number + 1) * this.#sectorBytes;
    // The last one may be cut short.
    if (from >= this.#bytes.length) throw this.#damage();
    return this.#bytes.subarray(from, from + this.#sectorBytes);
  }

  /** What a chain holds; throws where that is more than `most` bytes. */
  #chain(start: number, most = Infinity): Buffer {
    const places = this.#places(start, this.#fat);
    if (places.length > Math.ceil(most / this.#sectorBytes)) throw this.#damage();
    return Buffer.concat(places.map((sector) => this.#sector(sector)));
  }

  #miniChain(start: number): Buffer {
    return Buffer.concat(this.#places(start, this.#miniFat).map((at) => this.#mini.subarray(at * 64, at * 64 + 64)));
  }

  /** The sectors of a chain; one that goes in a circle is damaged. */
  #places(start: number, table: readonly number[]): number[] {
    const places: number[] = [];
    for (let at = start; at < endOfChain; at = table[at] ?? none) {
      places.push(at);
      if (places.length > table.length) throw this.#damage();
    }
    return places;
  }

  #entries(start: number): Entry[] {
    const bytes = this.#chain(start, mostEntries * entryBytes);
    const entries: Entry[] = [];
    for (let at = 0; at + entryBytes <= bytes.length; at += entryBytes) {
      const entry = bytes.subarray(at, at + entryBytes);
      const length = Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2);
      entries.push({
        name: entry.toString('utf16le', 0, length),
        type: entry.readUInt8(66),
        left: entry.readUInt32LE(68),
        right: entry.readUInt32LE(72),
        child: entry.readUInt32LE(76),
        start: entry.readUInt32LE(116),
        size: entry.readUInt32LE(120),
      });
    }
    return entries;
  }

  #climb(entries: readonly Entry[], from: number): void {
    const seen = new Set<number>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const entry = entries[at];
      if (!entry || seen.has(at)) continue;
      seen.add(at);
      this.#top.set(entry.name.toLowerCase(), entry);
      open.push(entry.left, entry.right);
    }
  }

  #damage(): InputError {
    return new InputError(`${this.#file}: the workbook is damaged or cut off. Fetch it again.`);
  }
}

function wordsOf(bytes: Buffer): number[] {
  const words: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) words.push(bytes.readUInt32LE(at));
  return words;
}
