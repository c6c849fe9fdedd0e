// Surveys a file once before it is read: its encoding, and bytes that cannot be right.
import { refusal, InputError, type NextStep } from '../../core/errors.ts';
import { isAscii, isUtf8 } from 'node:buffer';
import type { RosterForm } from '../../core/rows/row.ts';
import { findMark, type Encoding, isMultiByte } from './encoding.ts';
import { Evidence, isOfWord } from './judging/evidence.ts';
import { recogniseUtf16 } from '../files/magic.ts';

/** What is wrong with a file at one of its bytes; the reader of the file turns the offset into a line. */
class WrongBytes extends Error {
  /** Whether to say its encoding would help. */
  readonly next: readonly NextStep[];
  readonly offset: number;
  readonly encoding: Encoding;
  constructor(offset: number, encoding: Encoding, message: string, next: readonly NextStep[] = []) {
    super(message);
    this.next = next;
    this.offset = offset;
    this.encoding = encoding;
  }
}

/** Names the line of bytes that are wrong, by reading those before them again. Another error stays as it is. */
export async function explain(
  wrong: unknown,
  { file, chunks }: { file: string; chunks(): AsyncIterable<Uint8Array> },
): Promise<unknown> {
  if (!(wrong instanceof WrongBytes)) return wrong;
  let position = 0;
  let lineFeeds = 0;
  let returns = 0;
  for await (const chunk of chunks()) {
    const part = chunk.subarray(0, wrong.offset - position);
    const isEnd = (byte: number, at: number, wanted: number): boolean => {
      if (byte !== wanted) return false;
      const isEven = (position + at) % 2 === 0;
      if (wrong.encoding === 'utf-16le') return isEven && part[at + 1] === 0;
      if (wrong.encoding === 'utf-16be') return !isEven && part[at - 1] === 0;
      return true;
    };
    for (const [at, byte] of part.entries()) {
      if (isEnd(byte, at, 10)) lineFeeds++;
      if (isEnd(byte, at, 13)) returns++;
    }
    position += chunk.length;
    if (position >= wrong.offset) break;
  }
  return new InputError(`${file}, line ${(lineFeeds || returns) + 1}: ${wrong.message}`, { next: wrong.next });
}

export interface Findings {
  encoding: Encoding;
  bom: boolean;
  /** The length of the byte order mark in bytes. */
  markLength: number;
  /** Where the encoding was judged by the words of the file, some of them as they are read. */
  examples?: readonly string[];
  isUnended: boolean;
}

/** How a judged encoding is shown, as a part of a form. */
export function readAsOf({ encoding, examples = [] }: Findings): Pick<RosterForm, 'readAs'> {
  return examples.length > 0 ? { readAs: [`${encoding}: ${examples.join(', ')}`] } : {};
}

const headBytes = 4096;
/** The number of characters from which a text of an encoding with several bytes for each is not UTF-8 by chance, as `陆` in GBK is. */
const fewCharacters = 8;
/** The beginning of a word may stand at the end of the bytes before. */
const lastBytes = 60;
/** A character of UTF-8 has at most four bytes; the exact limit is checked on the text. */
const mostBytesOfCharacter = 4;

/**
 * Looks at all bytes of a file once, before any row is given out, because the encoding of a file is known only at
 * its end: one byte near the end can show that it is not UTF-8. What is not UTF-8 has a byte for each character, and
 * which encoding it is is judged by its words, unless the file has UTF-8 before (two encodings in one file).
 */
export class Survey {
  readonly #file: string;
  readonly #record: number;
  readonly #asked: Encoding | undefined;
  readonly #isOnlySaid: boolean;
  #head: Uint8Array | undefined = Buffer.alloc(0);
  #encoding: Encoding = 'utf-8';
  #certain = false;
  #markLength = 0;
  #offset = 0;
  #sinceBreak = 0;
  /** The last byte is the end mark of DOS. */
  #isMarked = false;
  /** The first bytes of a character that goes on in the next chunk; their place in the file is `#offset` less their number. */
  #begun: Uint8Array = Buffer.alloc(0);
  #isAscii = true;
  /** Where another encoding was given: how many characters of several bytes it has as UTF-8; undefined once it is none. */
  #asUtf8: number | undefined = 0;
  /** The last bytes of what was found to be UTF-8, before `#begun`. */
  #last: Uint8Array = Buffer.alloc(0);
  /** For a file that is not UTF-8 and whose encoding was not given. */
  #evidence: Evidence | undefined;
  /** The place of its first byte that is not UTF-8. */
  #foreign = 0;

  /** `record`: the most characters of a line; `isOnlySaid`: the file itself says so, and its bytes may show that it is UTF-8. */
  constructor(file: string, record: number, asked?: Encoding, isOnlySaid = false) {
    this.#file = file;
    this.#record = record;
    this.#asked = asked;
    this.#isOnlySaid = isOnlySaid;
  }

  /** Throws an `InputError` or `WrongBytes` for what cannot be a roster. */
  push(chunk: Uint8Array): void {
    if (!this.#head) return this.#examine(chunk);
    const head = this.#head.length > 0 ? Buffer.concat([this.#head, chunk]) : chunk;
    if (head.length >= headBytes) this.#begin(head);
    else this.#head = Buffer.from(head);
  }

  /** What was found. Throws as `push` does. The tables of letters are loaded only for a file that needs them. */
  async end(): Promise<Findings> {
    if (this.#head) this.#begin(this.#head);
    if (this.#offset === this.#markLength) throw refusal('emptyFile', { file: this.#file });
    if (this.#begun.length > 0) this.#notUtf8(this.#begun, 0, this.#offset - this.#begun.length);
    const most = this.#asked && isMultiByte(this.#asked) ? fewCharacters : 0;
    if (this.#encoding !== 'utf-8' && this.#asked && (this.#asUtf8 ?? 0) > most) {
      if (!this.#isOnlySaid) throw refusal('otherBytes', { file: this.#file, asked: this.#asked });
      this.#encoding = 'utf-8';
    }
    // Of a wide line feed the second byte may stand behind the one that is looked for.
    const isUnended = this.#sinceBreak > (this.#isWide() || this.#isMarked ? 1 : 0);
    const found = { encoding: this.#encoding, bom: this.#markLength > 0, markLength: this.#markLength, isUnended };
    if (!this.#evidence) return found;
    const { judgeEncoding, settleEncoding } = await import('./judging/judge-encoding.ts');
    const verdict = settleEncoding(this.#file, judgeEncoding(this.#evidence.end()));
    if ('problem' in verdict)
      throw new WrongBytes(this.#foreign, this.#encoding, verdict.problem, [{ setting: 'read.encoding' }]);
    return { ...found, ...verdict };
  }

  #begin(head: Uint8Array): void {
    this.#head = undefined;
    const mark = findMark(head);
    if (mark && this.#asked && mark.encoding !== this.#asked)
      throw refusal('otherMark', { file: this.#file, encoding: mark.encoding, asked: this.#asked });
    const guess = mark || this.#asked || !head.includes(0) ? undefined : recogniseUtf16(head.subarray(0, headBytes));
    if (guess) {
      const next = [{ setting: 'read.encoding' as const, value: guess }];
      throw refusal('withoutMark', { file: this.#file, guess }, { next });
    }
    this.#encoding = mark?.encoding ?? this.#asked ?? 'utf-8';
    this.#certain = Boolean(mark ?? this.#asked);
    this.#markLength = mark?.length ?? 0;
    this.#offset = this.#markLength;
    this.#examine(head.subarray(this.#markLength));
  }

  #examine(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#checkLineLength(bytes);
    if (!this.#isWide()) {
      const zero = bytes.indexOf(0);
      if (zero !== -1) {
        throw this.#wrong(
          zero,
          'there is a NUL byte: this is no text, or a damaged one. Export the list as CSV UTF-8.',
        );
      }
      if (this.#encoding === 'utf-8' || (this.#asked && this.#asUtf8 !== undefined)) this.#checkUtf8(bytes);
      else this.#evidence?.push(bytes);
    }
    this.#offset += bytes.length;
  }

  #checkLineLength(bytes: Buffer): void {
    const most = this.#record * mostBytesOfCharacter;
    const last = Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13));
    const begin = -this.#sinceBreak;
    this.#isMarked = bytes.at(-1) === 0x1a;
    this.#sinceBreak = last === -1 ? this.#sinceBreak + bytes.length : bytes.length - 1 - last;
    if (this.#sinceBreak <= most) return;
    throw this.#wrong(
      last === -1 ? begin : last + 1,
      `the line is longer than ${this.#record} characters. Is it a CSV file, with a line for each person?`,
    );
  }

  #checkUtf8(chunk: Buffer): void {
    const bytes = this.#begun.length > 0 ? Buffer.concat([this.#begun, chunk]) : chunk;
    const begin = this.#offset - this.#begun.length;
    const whole = wholeCharacters(bytes);
    if (isUtf8(bytes.subarray(0, whole))) {
      this.#begun = Buffer.from(bytes.subarray(whole));
      this.#isAscii &&= isAscii(bytes.subarray(0, whole));
      this.#last = Buffer.from(bytes.subarray(Math.max(0, whole - lastBytes), whole));
      if (this.#encoding !== 'utf-8' && !this.#isAscii) this.#countCharacters(bytes.subarray(0, whole));
    } else {
      this.#begun = Buffer.alloc(0);
      this.#notUtf8(bytes, firstInvalid(bytes), begin);
    }
  }

  #countCharacters(bytes: Uint8Array): void {
    for (const byte of bytes) if (byte >= 0xc0) this.#asUtf8 = (this.#asUtf8 ?? 0) + 1;
  }

  /** Byte `at` of `bytes`, which begin at `begin` in the file, is not UTF-8. */
  #notUtf8(bytes: Uint8Array, at: number, begin: number): void {
    if (this.#encoding !== 'utf-8') {
      this.#asUtf8 = undefined;
      return;
    }
    const place = begin + at - this.#offset;
    if (this.#certain)
      throw this.#wrong(place, 'it is not UTF-8, which the file is said to be. Export it again as UTF-8.');
    // A few letters of another encoding may be UTF-8 by chance, but hardly a whole word.
    let word = at;
    while (word > 0 && isOfWord(bytes[word - 1] ?? 0)) word--;
    if (!this.#isAscii || !isAscii(bytes.subarray(0, word))) {
      const what = 'it is not UTF-8, but what stands before it is: two encodings in one file.';
      const todo = 'Export it again as UTF-8, or say its encoding (read.encoding).';
      throw this.#wrong(place, `${what} ${todo}`, [{ setting: 'read.encoding' }]);
    }
    // Any encoding with a byte for each character: line ends and NUL are the same in all of them.
    this.#encoding = 'windows-1252';
    this.#foreign = begin + at;
    this.#evidence = new Evidence();
    this.#evidence.push(Buffer.concat([this.#last, bytes]));
  }

  #isWide(): boolean {
    return this.#encoding === 'utf-16le' || this.#encoding === 'utf-16be';
  }

  /** `at` counts from the beginning of the chunk that is examined. */
  #wrong(at: number, message: string, next?: readonly NextStep[]): WrongBytes {
    return new WrongBytes(this.#offset + at, this.#encoding, message, next);
  }
}

/** How many of the bytes are whole characters, if they are UTF-8: the last one may go on in the next chunk. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The place of the first byte that is not UTF-8, given that there is one. */
function firstInvalid(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, wholeCharacters(part)))) valid = middle;
    else invalid = middle;
  }
  return wholeCharacters(bytes.subarray(0, valid));
}
