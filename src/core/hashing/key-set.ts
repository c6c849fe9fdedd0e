// A set that knows which of a million texts it has seen, in 8 to 16 bytes each.
import { TextHash } from './text-hash.ts';

const segments = 256;
/** A power of two. */
const firstSlots = 64;

/** What is kept is a hash of 40 bits: among a million texts one of two is, as likely as not, taken for known. */
export class KeySet {
  /** 8 bits of a hash say which segment, and the 32 that are kept there stand where others say, or behind; 0 is a free slot. */
  readonly #segments = Array.from({ length: segments }, () => new Uint32Array(firstSlots));
  readonly #sizes = new Uint32Array(segments);
  readonly #hash = new TextHash();

  add(text: string): boolean {
    this.#hash.take(text);
    const at = this.#hash.low % segments;
    const segment = this.#segments[at] ?? new Uint32Array();
    const kept = this.#hash.high || 1;
    const slot = slotOf(segment, kept);
    if (segment[slot] === kept) return false;
    segment[slot] = kept;
    const size = (this.#sizes[at] ?? 0) + 1;
    this.#sizes[at] = size;
    if (size * 2 > segment.length) this.#segments[at] = larger(segment);
    return true;
  }
}

/** The slot of a hash in a segment, or the free slot for it. */
function slotOf(segment: Uint32Array, kept: number): number {
  const mask = segment.length - 1;
  let slot = kept & mask;
  while (segment[slot] !== 0 && segment[slot] !== kept) slot = (slot + 1) & mask;
  return slot;
}

function larger(segment: Uint32Array): Uint32Array<ArrayBuffer> {
  const twice = new Uint32Array(segment.length * 2);
  for (const kept of segment) if (kept !== 0) twice[slotOf(twice, kept)] = kept;
  return twice;
}
