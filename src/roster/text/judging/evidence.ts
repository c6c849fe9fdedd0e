// Collects the non-ASCII words of a file, which show its encoding.

/** Texts in Latin-1: a character is a byte. */
export interface ForeignWords {
  /** How often each occurs; not all of a large file, but some of each byte. */
  words: ReadonlyMap<string, number>;
  /** The bytes from 0x80 that occur anywhere in the file. */
  bytes: readonly number[];
}

/** The number of different words to judge; more say nothing new, and take time and memory. */
const mostWords = 1500;
/** Further words are kept anyway for a byte that no more than this number of kept words have. */
const fewWords = 25;
/** A longer run of such bytes is no word of a name. */
const longestWord = 60;

export class Evidence {
  readonly #words = new Map<string, number>();
  /** How many of the kept words have each byte. */
  readonly #kept = new Uint32Array(256);
  readonly #seen = new Uint8Array(256);
  /** The word that the last bytes began. */
  #open = '';

  push(bytes: Buffer): void {
    const { length } = bytes;
    let at = 0;
    if (this.#open !== '') {
      while (at < length && isOfWord(bytes[at]!)) at++;
      if (this.#open.length < longestWord) this.#open += bytes.toString('latin1', 0, Math.min(at, longestWord));
      this.#see(bytes, 0, at);
      if (at === length) return;
      this.#add(this.#open);
      this.#open = '';
    }
    for (; at < length; at++) {
      if (bytes[at]! < 0x80) continue;
      let begin = at;
      while (begin > 0 && isOfWord(bytes[begin - 1]!)) begin--;
      let end = at + 1;
      while (end < length && isOfWord(bytes[end]!)) end++;
      this.#see(bytes, at, end);
      const word = bytes.toString('latin1', begin, Math.min(end, begin + longestWord));
      if (end === length) this.#open = word;
      else this.#add(word);
      at = end;
    }
    if (this.#open !== '') return;
    // The beginning of a word may stand here, and its first byte outside ASCII in what is to come.
    let begin = length;
    while (begin > 0 && length - begin < longestWord && isOfWord(bytes[begin - 1]!)) begin--;
    this.#open = bytes.toString('latin1', begin, length);
  }

  end(): ForeignWords {
    this.#add(this.#open);
    this.#open = '';
    return { words: this.#words, bytes: [...this.#seen.keys()].filter((byte) => this.#seen[byte] === 1) };
  }

  #see(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; at++) if (bytes[at]! >= 0x80) this.#seen[bytes[at]!] = 1;
  }

  #add(word: string): void {
    const known = this.#words.get(word);
    if (known !== undefined) {
      this.#words.set(word, known + 1);
      return;
    }
    let isNeeded = false;
    const foreign: number[] = [];
    for (let at = 0; at < word.length; at++) {
      const byte = word.charCodeAt(at);
      if (byte < 0x80) continue;
      foreign.push(byte);
      isNeeded ||= this.#words.size < mostWords || this.#kept[byte]! < fewWords;
    }
    if (!isNeeded) return;
    this.#words.set(word, 1);
    for (const byte of foreign) this.#kept[byte]! += 1;
  }
}

/** Whether a byte may be of a word: letters of ASCII, and whatever is not ASCII. */
export function isOfWord(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}
