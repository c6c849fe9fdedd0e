/**
 * Numbers texts in the order in which they first come, in 16 to 32 bytes each and without keeping them: what is kept is
 * a hash of 64 bits, so among a million texts two are taken for one with a probability of 1 in 37 million.
 */
export class KeyTable {
  #high: Uint32Array;
  #low: Uint32Array;
  /** The number of the text in each slot, plus 1; 0 where the slot is free. */
  #numbers: Uint32Array;
  #size = 0;

  constructor() {
    this.#high = new Uint32Array(firstSlots);
    this.#low = new Uint32Array(firstSlots);
    this.#numbers = new Uint32Array(firstSlots);
  }

  /** How many different texts there are. */
  get size(): number {
    return this.#size;
  }

  /** The number of a text, from 0; undefined for one that was not added. */
  find(text: string): number | undefined {
    const slot = this.#slotOf(text);
    const number = this.#numbers[slot] ?? 0;
    return number === 0 ? undefined : number - 1;
  }

  /** Adds a text; true when it was not there. */
  add(text: string): boolean {
    const slot = this.#slotOf(text);
    if (this.#numbers[slot] !== 0) return false;
    this.#high[slot] = this.#hashHigh;
    this.#low[slot] = this.#hashLow;
    this.#size += 1;
    this.#numbers[slot] = this.#size;
    if (this.#size * 2 > this.#numbers.length) this.#grow();
    return true;
  }

  /** Forgets all texts. */
  clear(): void {
    if (this.#size === 0) return;
    this.#numbers.fill(0);
    this.#size = 0;
  }

  #hashHigh = 0;
  #hashLow = 0;

  #slotOf(text: string): number {
    // Two hashes side by side, each mixing in the other at the end (cyrb53 of github.com/bryc/code, public domain).
    let high = 0xdeadbeef;
    let low = 0x41c6ce57;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      high = Math.imul(high ^ unit, 2_654_435_761);
      low = Math.imul(low ^ unit, 1_597_334_677);
    }
    high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
    low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
    this.#hashHigh = high >>> 0;
    this.#hashLow = low >>> 0;
    return this.#probe(this.#hashHigh, this.#hashLow);
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
    for (const [at, number] of numbers.entries()) {
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
