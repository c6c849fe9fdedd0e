// A table that numbers a million texts, in 16 to 32 bytes each.
import { TextHash } from './text-hash.ts';

/** In the order in which they come, by hashes of 64 bits: of a million, two are one with 1 in 37 million. */
export class KeyTable {
  #high: Uint32Array;
  #low: Uint32Array;
  /** The number of the text in each slot, plus 1; 0 if the slot is free. */
  #numbers: Uint32Array;
  #size = 0;
  readonly #hash = new TextHash();

  constructor() {
    this.#high = new Uint32Array(firstSlots);
    this.#low = new Uint32Array(firstSlots);
    this.#numbers = new Uint32Array(firstSlots);
  }

  /** How many different texts there are. */
  get size(): number {
    return this.#size;
  }

  find(text: string): number | undefined {
    const slot = this.#slotOf(text);
    const number = this.#numbers[slot] ?? 0;
    return number === 0 ? undefined : number - 1;
  }

  /** True when it was not there. */
  add(text: string): boolean {
    const slot = this.#slotOf(text);
    if (this.#numbers[slot] !== 0) return false;
    this.#high[slot] = this.#hash.high;
    this.#low[slot] = this.#hash.low;
    this.#size += 1;
    this.#numbers[slot] = this.#size;
    if (this.#size * 2 > this.#numbers.length) this.#grow();
    return true;
  }

  clear(): void {
    if (this.#size === 0) return;
    this.#numbers.fill(0);
    this.#size = 0;
  }

  #slotOf(text: string): number {
    this.#hash.take(text);
    return this.#probe(this.#hash.high, this.#hash.low);
  }

  #probe(high: number, low: number): number {
    const mask = this.#numbers.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      if (this.#numbers[slot] === 0 || (this.#low[slot] === low && this.#high[slot] === high)) return slot;
    }
  }

  #grow(): void {
    const [high, low, numbers] = [this.#high, this.#low, this.#numbers];
    const slots = numbers.length * 2;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#numbers = new Uint32Array(slots);
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at] ?? 0;
      if (number === 0) continue;
      const [oldHigh = 0, oldLow = 0] = [high[at], low[at]];
      const slot = this.#probe(oldHigh, oldLow);
      this.#high[slot] = oldHigh;
      this.#low[slot] = oldLow;
      this.#numbers[slot] = number;
    }
  }
}

/** A power of two. */
const firstSlots = 1024;
