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

interface Entry extends Record<'type' | 'left' | 'right' | 'child' | 'start' | 'size', number> {
  name: string;
}

/**
 * Opens a compound file (MS-CFB), which `.xls` and other files of old Office are. Throws an `InputError` if it is damaged or
 * cut off, and so does reading it.
 */
export function openCompoundFile(bytes: Buffer, file: string) {
  const damage = (): InputError => new InputError(`${file}: the workbook is damaged or cut off. Fetch it again.`);
  if (bytes.length < 512) throw damage();
  const shift = bytes.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw damage();
  const sectorBytes = 1 << shift;
  const miniCutoff = Math.min(bytes.readUInt32LE(56), mostOfMini);

  const sectorAt = (number: number): Buffer => {
    const from = (number + 1) * sectorBytes;
    // The last one may be cut short.
    if (from >= bytes.length) throw damage();
    return bytes.subarray(from, from + sectorBytes);
  };
  /** The sectors that say which sector follows on which. */
  const tableSectors = (): number[] => {
    const isUsed = (sector: number): boolean => sector < endOfChain;
    const sectors = wordsOf(bytes.subarray(76, 512)).filter(isUsed);
    const seen = new Set<number>();
    for (let next = bytes.readUInt32LE(68); next < endOfChain;) {
      if (seen.has(next)) throw damage();
      seen.add(next);
      const words = wordsOf(sectorAt(next));
      next = words.pop() ?? none;
      sectors.push(...words.filter(isUsed));
      if (sectors.length * sectorBytes > bytes.length) throw damage();
    }
    return sectors;
  };
  /** The sectors of a chain; one that goes in a circle is damaged. */
  const placesFrom = (start: number, table: readonly number[]): number[] => {
    const places: number[] = [];
    for (let at = start; at < endOfChain; at = table[at] ?? none) {
      places.push(at);
      if (places.length > table.length) throw damage();
    }
    return places;
  };
  const table: number[] = [];
  // Entries for sectors beyond the file only take memory.
  for (const sector of tableSectors()) {
    if (table.length >= Math.ceil(bytes.length / sectorBytes)) break;
    table.push(...wordsOf(sectorAt(sector)));
  }
  /** What a chain holds; throws where that is more than `most` bytes. */
  const chainFrom = (start: number, most = Infinity): Buffer => {
    const places = placesFrom(start, table);
    if (places.length > Math.ceil(most / sectorBytes)) throw damage();
    return Buffer.concat(places.map(sectorAt));
  };
  const entries = entriesOf(chainFrom(bytes.readUInt32LE(48), mostEntries * entryBytes));
  const [root] = entries;
  if (!root) throw damage();
  const mini = chainFrom(root.start, mostEntries * mostOfMini);
  // Four bytes for each 64 of those.
  const miniTable = wordsOf(chainFrom(bytes.readUInt32LE(60), (mostEntries * mostOfMini) / 16));
  const miniChain = (start: number): Buffer =>
    Buffer.concat(placesFrom(start, miniTable).map((at) => mini.subarray(at * 64, at * 64 + 64)));
  const top = entriesBelow(root, entries);
  return {
    has: (name: string) => top.has(name.toLowerCase()),
    /** What a stream holds; undefined if there is none of this name. */
    read(name: string): Buffer | undefined {
      const entry = top.get(name.toLowerCase());
      if (entry?.type !== 2) return undefined;
      const whole = entry.size < miniCutoff ? miniChain(entry.start) : chainFrom(entry.start);
      if (whole.length < entry.size) throw damage();
      return whole.subarray(0, entry.size);
    },
  };
}

function entriesOf(bytes: Buffer): Entry[] {
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

/** The entries of the top folder, which are a tree, by their names. */
function entriesBelow(root: Entry, entries: readonly Entry[]): Map<string, Entry> {
  const top = new Map<string, Entry>();
  const seen = new Set<number>();
  const open = [root.child];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entry = entries[at];
    if (!entry || seen.has(at)) continue;
    seen.add(at);
    top.set(entry.name.toLowerCase(), entry);
    open.push(entry.left, entry.right);
  }
  return top;
}

function wordsOf(bytes: Buffer): number[] {
  const words: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) words.push(bytes.readUInt32LE(at));
  return words;
}
