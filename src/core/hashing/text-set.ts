// A set that knows a million short texts in 10 to 15 bytes each, and a table that numbers them in 15 to 23.

const segments = 256;
const firstSlots = 64;
/** A fuller table is searched for too long. */
const fullest = 0.8;
const lineEnd = '\n';

/**
 * Kept is a hash of 64 bits: a new text is taken for one of a million with a probability of 1 in 18 million million. Each segment
 * grows alone, so that no text waits for many others to be moved.
 */
class Slots {
  /** Numbers of a slot: the lower half of a hash, the upper one, and what else is kept. A free slot has 0 for the lower one. */
  readonly #width: number;
  readonly #segments: Uint32Array[];
  readonly #sizes = new Uint32Array(segments);

  constructor(width: number) {
    this.#width = width;
    this.#segments = Array.from({ length: segments }, () => new Uint32Array(width * firstSlots));
  }

  /** The last number of the slot of a hash; undefined where it is not there. */
  find(hash: TextHash): number | undefined {
    const slots = this.#segments[hash.high % segments]!;
    const place = this.#placeOf(slots, hash);
    return slots[place] === 0 ? undefined : slots[place + this.#width - 1];
  }

  /** True when it was not there. */
  add(hash: TextHash, last = hash.high): boolean {
    const at = hash.high % segments;
    const slots = this.#segments[at]!;
    const place = this.#placeOf(slots, hash);
    if (slots[place] !== 0) return false;
    slots[place] = hash.low || 1;
    slots[place + 1] = hash.high;
    slots[place + this.#width - 1] = last;
    this.#sizes[at]! += 1;
    if (this.#sizes[at]! * this.#width > slots.length * fullest) this.#segments[at] = this.#larger(slots);
    return true;
  }

  clear(): void {
    for (const slots of this.#segments) slots.fill(0);
    this.#sizes.fill(0);
  }

  /** Where a hash is, or the free place for it. */
  #placeOf(slots: Uint32Array, { high, low }: Pick<TextHash, 'high' | 'low'>): number {
    const width = this.#width;
    const kept = low || 1;
    let place = width * Math.floor((low / 2 ** 32) * (slots.length / width));
    while (slots[place] !== 0 && !(slots[place] === kept && slots[place + 1] === high)) {
      place = place + width === slots.length ? 0 : place + width;
    }
    return place;
  }

  /** Half as large again. */
  #larger(slots: Uint32Array): Uint32Array {
    const width = this.#width;
    const more = new Uint32Array(width * Math.ceil((slots.length / width) * 1.5));
    for (let at = 0; at < slots.length; at += width) {
      const [low = 0, high = 0] = [slots[at], slots[at + 1]];
      if (low === 0) continue;
      const place = this.#placeOf(more, { low, high });
      for (let each = 0; each < width; each += 1) more[place + each] = slots[at + each]!;
    }
    return more;
  }
}

export class TextSet {
  readonly #slots = new Slots(2);
  readonly #hash = new TextHash();

  /** True when it was not there. */
  add(text: string, from = 0, to = text.length): boolean {
    this.#hash.take(text, from, to);
    return this.#slots.add(this.#hash);
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
    return this.#slots.find(this.#hash) !== undefined;
  }
}

/** Numbers texts in the order in which they come, from 0. */
export class KeyTable {
  readonly #slots = new Slots(3);
  readonly #hash = new TextHash();
  /** How many different texts there are. */
  size = 0;

  find(text: string): number | undefined {
    this.#hash.take(text);
    return this.#slots.find(this.#hash);
  }

  /** True when it was not there. */
  add(text: string): boolean {
    this.#hash.take(text);
    const isNew = this.#slots.add(this.#hash, this.size);
    if (isNew) this.size += 1;
    return isNew;
  }

  clear(): void {
    if (this.size > 0) this.#slots.clear();
    this.size = 0;
  }
}

/** 64 bits of a text, as two unsigned numbers of 32. One object is used for many texts, so that none of them costs memory. */
export class TextHash {
  high = 0;
  low = 0;

  /** Two hashes side by side, each mixing in the other at the end (cyrb53 of github.com/bryc/code, public domain). */
  take(text: string, from = 0, to = text.length, more = ''): void {
    let high = 0xdeadbeef;
    let low = 0x41c6ce57;
    for (let at = from; at < to; at += 1) {
      const unit = text.charCodeAt(at);
      high = Math.imul(high ^ unit, 2_654_435_761);
      low = Math.imul(low ^ unit, 1_597_334_677);
    }
    for (let at = 0; at < more.length; at += 1) {
      const unit = more.charCodeAt(at);
      high = Math.imul(high ^ unit, 2_654_435_761);
      low = Math.imul(low ^ unit, 1_597_334_677);
    }
    high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
    low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
    this.high = high >>> 0;
    this.low = low >>> 0;
  }
}

/** So many characters of a fingerprint, 64 bits, are compared. */
export const comparedCharacters = 16;

/** What a source last gave its people, as far as it takes to tell who is unchanged. A million people take 10 to 15 MB. */
export class GivenPeople {
  readonly #lines = new TextSet();

  /** Adds people, a line each: the first `comparedCharacters` of the fingerprint, and the employee id where one is known. */
  add(lines: string): void {
    if (lines !== '') this.#lines.addLines(lines);
  }

  /** Whether somebody was given exactly this. The fingerprint has the address in it, so it is the same person. */
  has({ fingerprint, employeeId = '' }: { fingerprint: string; employeeId?: string }): boolean {
    return this.#lines.has(fingerprint, comparedCharacters, employeeId);
  }
}
