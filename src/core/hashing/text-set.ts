// A set that knows a million short texts, in 10 to 15 bytes each.
import { TextHash } from './text-hash.ts';

const segments = 256;
const firstSlots = 64;
/** A fuller table is searched for too long. */
const fullest = 0.8;
const lineEnd = '\n';

/**
 * Kept is a hash of 64 bits: a new text is taken for one of a million with a probability of 1 in 18 million million. Each segment
 * grows alone, so that no text waits for many others to be moved.
 */
export class TextSet {
  /** Two numbers for each slot, the lower half of a hash and the upper one; a free slot has 0 for the lower one. */
  readonly #segments = Array.from({ length: segments }, () => new Uint32Array(2 * firstSlots));
  readonly #sizes = new Uint32Array(segments);
  readonly #hash = new TextHash();

  /** True when it was not there. */
  add(text: string, from = 0, to = text.length): boolean {
    this.#hash.take(text, from, to);
    const at = this.#hash.high % segments;
    const slots = this.#slotsAt(at);
    if (!insert(slots, this.#hash)) return false;
    const size = (this.#sizes[at] ?? 0) + 1;
    this.#sizes[at] = size;
    if (size * 2 > slots.length * fullest) this.#segments[at] = larger(slots);
    return true;
  }

  addLines(text: string): void {
    for (let from = 0; from <= text.length;) {
      const found = text.indexOf(lineEnd, from);
      const to = found === -1 ? text.length : found;
      this.add(text, from, to);
      from = to + 1;
    }
  }

  /** Whether a text was added: the first characters of one, and all of another. */
  has(text: string, length = text.length, more = ''): boolean {
    this.#hash.take(text, 0, length, more);
    const slots = this.#slotsAt(this.#hash.high % segments);
    return slots[placeOf(slots, this.#hash)] !== 0;
  }

  #slotsAt(segment: number): Uint32Array {
    return this.#segments[segment] ?? new Uint32Array(2);
  }
}

/** Where a hash is, or the free place for it. */
function placeOf(slots: Uint32Array, { high, low }: Pick<TextHash, 'high' | 'low'>): number {
  const kept = low || 1;
  let place = 2 * Math.floor((low / 2 ** 32) * (slots.length / 2));
  while (slots[place] !== 0 && !(slots[place] === kept && slots[place + 1] === high)) {
    place = place + 2 === slots.length ? 0 : place + 2;
  }
  return place;
}

/** True when it was not there. */
function insert(slots: Uint32Array, hash: Pick<TextHash, 'high' | 'low'>): boolean {
  const place = placeOf(slots, hash);
  if (slots[place] !== 0) return false;
  slots[place] = hash.low || 1;
  slots[place + 1] = hash.high;
  return true;
}

/** Half as large again. */
function larger(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * Math.ceil((slots.length / 2) * 1.5));
  for (let at = 0; at < slots.length; at += 2) {
    const [low = 0, high = 0] = [slots[at], slots[at + 1]];
    if (low !== 0) insert(more, { low, high });
  }
  return more;
}
