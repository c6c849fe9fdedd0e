// The 64-bit text hash of the key set and the key table.

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
