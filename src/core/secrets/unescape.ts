// Undoes URL, JSON and HTML escapes level by level, so that escaped secrets are found.

/** A text with its escapes undone, and where each of its units begins in the text that they stood in. */
export interface Unescaped {
  text: string;
  /** For each unit of `text`, and for its end, the place in the original; absent of the original itself. */
  starts?: Uint32Array;
}

/** JSON within JSON within JSON, URL-encoded again: nobody who echoes a text goes further. */
const mostLevels = 6;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const controls = new Map(
  Object.entries({ n: 10, r: 13, t: 9, b: 8, f: 12 }).map(([sign, code]) => [codeOf(sign), code]),
);
/** What may begin an escape. `+` is a space in a form. */
const escapeSign = /[%\\&+]/;
const reference = /&(?:#(\d{1,8})|#[xX]([\dA-Fa-f]{1,8})|(amp|lt|gt|quot|apos|nbsp));/y;
const [percent, backslash, ampersand, plus, lowerU, lowerX] = ['%', '\\', '&', '+', 'u', 'x'].map(codeOf);

function codeOf(sign: string): number {
  return sign.charCodeAt(0);
}

/** Undone once, twice and so on: URL encoding, JSON, HTML. Steps grow with the length of the text only. */
export function unescapeLevels(text: string): Unescaped[] {
  const levels: Unescaped[] = [{ text }];
  for (let level = 1, before: Unescaped = { text }; level <= mostLevels; level++) {
    const next = escapeSign.test(before.text) ? new Undoing(before).undo() : undefined;
    if (!next) break;
    levels.push(next);
    before = next;
  }
  return levels;
}

export function startOf({ starts }: Unescaped, at: number): number {
  return starts ? (starts[at] ?? 0) : at;
}

class Undoing {
  readonly #before: Unescaped;
  readonly #text: string;
  readonly #units: Uint16Array;
  readonly #starts: Uint32Array;
  #length = 0;

  constructor(before: Unescaped) {
    this.#before = before;
    this.#text = before.text;
    this.#units = new Uint16Array(before.text.length);
    this.#starts = new Uint32Array(before.text.length + 1);
  }

  /** Undefined where there was nothing to undo. */
  undo(): Unescaped | undefined {
    const { length } = this.#text;
    let isChanged = false;
    for (let at = 0; at < length;) {
      const code = this.#text.charCodeAt(at);
      const end = this.#escape(code, at);
      if (end === 0) this.#put(code, at++);
      else [at, isChanged] = [end, true];
    }
    if (!isChanged) return undefined;
    this.#starts[this.#length] = startOf(this.#before, length);
    const { buffer } = this.#units;
    const text = Buffer.from(buffer, 0, this.#length * 2).toString('utf16le');
    return { text, starts: this.#starts.subarray(0, this.#length + 1) };
  }

  #put(code: number, at: number): void {
    this.#units[this.#length] = code;
    this.#starts[this.#length++] = startOf(this.#before, at);
  }

  #putCodePoint(code: number, at: number): void {
    if (code <= 0xffff) this.#put(code, at);
    else for (const unit of String.fromCodePoint(code).split('')) this.#put(codeOf(unit), at);
  }

  /** Appends what an escape stands for, and gives its end; 0 if none begins. */
  #escape(code: number, at: number): number {
    if (code === percent) return this.#bytes(at);
    if (code === backslash) return this.#backslash(at);
    if (code === ampersand) return this.#reference(at);
    if (code !== plus) return 0;
    this.#put(0x20, at);
    return at + 1;
  }

  #backslash(at: number): number {
    if (at + 1 === this.#text.length) return 0;
    const next = this.#text.charCodeAt(at + 1);
    const digits = next === lowerU ? 4 : next === lowerX ? 2 : 0;
    const code = digits === 0 ? (controls.get(next) ?? next) : this.#hexadecimal(at + 2, digits);
    if (code === undefined) return 0;
    this.#put(code, at);
    return at + 2 + digits;
  }

  #reference(at: number): number {
    reference.lastIndex = at;
    const [whole = '', decimal, hex, name] = reference.exec(this.#text) ?? [];
    if (whole === '') return 0;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
    if (code > 0x10ffff) return 0;
    this.#putCodePoint(name === undefined ? code : codeOf(named[name] ?? ''), at);
    return at + whole.length;
  }

  /** One URL-encoded character: its bytes as UTF-8, or its first byte as Latin-1. */
  #bytes(at: number): number {
    const first = this.#hexadecimal(at + 1, 2);
    if (first === undefined) return 0;
    const size = first < 0xc2 || first > 0xf4 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    let code = size === 1 ? first : first & (0xff >> (size + 1));
    for (let index = 1; index < size; index++) {
      const byte =
        this.#text.charCodeAt(at + index * 3) === percent ? this.#hexadecimal(at + index * 3 + 1, 2) : undefined;
      if (byte === undefined || (byte & 0xc0) !== 0x80) {
        this.#put(first, at);
        return at + 3;
      }
      code = (code << 6) | (byte & 0x3f);
    }
    if (code > 0x10ffff) code = first;
    this.#putCodePoint(code, at);
    return at + size * 3;
  }

  #hexadecimal(at: number, digits: number): number | undefined {
    let code = 0;
    for (let index = at; index < at + digits; index++) {
      const digit = digitOf(this.#text.charCodeAt(index));
      if (digit === -1) return undefined;
      code = code * 16 + digit;
    }
    return code;
  }
}

/** The value of a hexadecimal digit; -1 of anything else, the end of the text too. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
