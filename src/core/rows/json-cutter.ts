// Walks through JSON that arrives in pieces, keeping only the values taken.
import { parseJson } from '../attempt.ts';
import { quote as quoted } from '../text/format.ts';
export class JsonFailure extends Error {
  /** The 1-based line to name. */
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** What a visitor wants of a value: to go into it, to have its text, or neither. */
export type Wish = 'enter' | 'take' | 'skip';

/** Called with what a cutter comes to. */
export interface Visitor {
  /** A value begins at `pointer` (RFC 6901; of an array's element, that of the array and its `index`). `parent` is what it is in. */
  begins(
    kind: 'object' | 'array' | 'scalar',
    pointer: string,
    parent: 'document' | 'object' | 'array',
    index: number,
  ): Wish;
  takes(text: string): void;
}

interface Frame {
  isArray: boolean;
  pointer: string;
  /** The number of elements so far. */
  count: number;
}

const quote = 34;
const comma = 44;
const colon = 58;
const bracket = { open: 91, close: 93 } as const;
const brace = { open: 123, close: 125 } as const;

/**
 * Walks through a JSON text that comes in pieces, without keeping more of it than the value that is taken. The form
 * is checked around the values that are taken or skipped, not inside them. Several values one after the other are
 * allowed. Throws a `JsonFailure`.
 */
export class JsonCutter {
  readonly #visitor: Visitor;
  readonly #most: { record: number; depth: number };
  readonly #frames: Frame[] = [];
  #text = '';
  #at = 0;
  #line = 1;
  /** Up to where the line ends are counted. */
  #counted = 0;
  /** What may come next. */
  #expects: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma' = 'value';
  #pointer = '';
  /** The value that is taken or skipped: where it begins, and how deep inside it the scan is. */
  #inside: { from: number; depth: number; isTaken: boolean } | undefined;

  /** `most`: the most characters of a value or text, and the deepest nesting. */
  constructor(visitor: Visitor, most: { record: number; depth: number }) {
    this.#visitor = visitor;
    this.#most = most;
  }

  /** The line that the scan has come to. */
  get line(): number {
    this.#count(this.#at);
    return this.#line;
  }

  push(piece: string): void {
    this.#text = this.#text.slice(this.#drop()) + piece;
    this.#run(false);
    if (this.#text.length - this.#kept() > this.#most.record) {
      throw this.#failure(`one record or text is longer than ${this.#most.record} characters`);
    }
  }

  end(): void {
    this.#text = this.#text.slice(this.#drop());
    this.#run(true);
    if (this.#inside || this.#frames.length > 0 || this.#at < this.#text.length) {
      throw this.#failure('it ends in the middle: the file or download was cut off');
    }
  }

  #kept(): number {
    return this.#inside?.isTaken ? this.#inside.from : this.#at;
  }

  /** Forgets what is not needed any more, and gives how many characters that are. */
  #drop(): number {
    const kept = this.#kept();
    this.#count(kept);
    this.#counted -= kept;
    this.#at -= kept;
    if (this.#inside) this.#inside.from -= kept;
    return kept;
  }

  #count(to: number): void {
    for (
      let at = this.#text.indexOf('\n', this.#counted);
      at !== -1 && at < to;
      at = this.#text.indexOf('\n', at + 1)
    ) {
      this.#line++;
    }
    this.#counted = Math.max(this.#counted, to);
  }

  #failure(message: string): JsonFailure {
    return new JsonFailure(this.line, message);
  }

  #run(isEnd: boolean): void {
    for (;;) {
      if (this.#inside && !this.#goOn(this.#inside)) return;
      this.#skipSpace();
      if (this.#at >= this.#text.length) return;
      const code = this.#text.charCodeAt(this.#at);
      if (!this.#step(code, isEnd)) return;
    }
  }

  #skipSpace(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
    }
  }

  #step(code: number, isEnd: boolean): boolean {
    const frame = this.#frames.at(-1);
    switch (this.#expects) {
      case 'comma':
        if (!frame) {
          this.#expects = 'value';
          return true;
        }
        if (code === comma) this.#expects = frame.isArray ? 'value' : 'key';
        else if (code === (frame.isArray ? bracket.close : brace.close)) this.#leave();
        else throw this.#unexpected('a comma');
        this.#at++;
        return true;
      case 'colon':
        if (code !== colon) throw this.#unexpected('a colon');
        this.#at++;
        this.#expects = 'value';
        return true;
      case 'key or end':
      case 'key':
        if (code === brace.close && this.#expects === 'key or end') return (this.#leave(), this.#at++, true);
        if (code !== quote) throw this.#unexpected('a key in quotes');
        return this.#key(frame?.pointer ?? '');
      case 'value or end':
        if (code === bracket.close) return (this.#leave(), this.#at++, true);
        return this.#value(code, isEnd, frame);
      case 'value':
        return this.#value(code, isEnd, frame);
    }
  }

  #unexpected(wanted: string): JsonFailure {
    return this.#failure(`${quoted(this.#text.slice(this.#at, this.#at + 20))} stands where ${wanted} should`);
  }

  #leave(): void {
    this.#frames.pop();
    this.#expects = 'comma';
  }

  #key(parent: string): boolean {
    const end = endOfText(this.#text, this.#at);
    if (end === -1) return false;
    const key = parseJson(this.#text.slice(this.#at, end + 1));
    if (typeof key !== 'string') throw this.#unexpected('a key in quotes');
    this.#pointer = `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    this.#at = end + 1;
    this.#expects = 'colon';
    return true;
  }

  #value(code: number, isEnd: boolean, frame: Frame | undefined): boolean {
    const isArray = code === bracket.open;
    const isContainer = isArray || code === brace.open;
    const end = isContainer ? this.#at : this.#endOfScalar(code, isEnd);
    if (end === -1) return false;
    const pointer = frame ? (frame.isArray ? frame.pointer : this.#pointer) : '';
    const kind = isContainer ? (isArray ? 'array' : 'object') : 'scalar';
    const index = frame ? frame.count++ : 0;
    const wish = this.#visitor.begins(kind, pointer, frame ? (frame.isArray ? 'array' : 'object') : 'document', index);
    this.#expects = 'comma';
    if (!isContainer) {
      if (wish === 'take') this.#visitor.takes(this.#text.slice(this.#at, end));
      this.#at = end;
    } else if (wish === 'enter') {
      if (this.#frames.length >= this.#most.depth) throw this.#tooDeep();
      this.#frames.push({ isArray, pointer: frame?.isArray ? `${pointer}/${index}` : pointer, count: 0 });
      this.#expects = isArray ? 'value or end' : 'key or end';
      this.#at++;
    } else {
      this.#inside = { from: this.#at, depth: 0, isTaken: wish === 'take' };
    }
    return true;
  }

  /** The place after a value that is no container; -1 when it is not complete yet. */
  #endOfScalar(code: number, isEnd: boolean): number {
    if (code === quote) {
      const end = endOfText(this.#text, this.#at);
      return end === -1 ? -1 : end + 1;
    }
    let end = this.#at;
    while (/[\w.+-]/.test(this.#text.charAt(end))) end++;
    if (end === this.#at) throw this.#unexpected('a value');
    if (end === this.#text.length && !isEnd) return -1;
    if (!/^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(this.#text.slice(this.#at, end))) {
      throw this.#unexpected('a value');
    }
    return end;
  }

  /** Goes on inside the value that is taken or skipped. False when its end is not in the text yet. */
  #goOn(inside: { from: number; depth: number; isTaken: boolean }): boolean {
    const text = this.#text;
    for (let at = this.#at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        const end = endOfText(text, at);
        if (end === -1) {
          this.#at = at;
          return false;
        }
        at = end;
      } else if (code === brace.open || code === bracket.open) {
        inside.depth++;
        if (inside.depth + this.#frames.length > this.#most.depth) {
          this.#at = at;
          throw this.#tooDeep();
        }
      } else if ((code === brace.close || code === bracket.close) && --inside.depth === 0) {
        this.#at = at + 1;
        this.#inside = undefined;
        if (inside.isTaken) this.#visitor.takes(text.slice(inside.from, this.#at));
        return true;
      }
    }
    this.#at = text.length;
    return false;
  }

  #tooDeep(): JsonFailure {
    return this.#failure(`values stand in each other more than ${this.#most.depth} levels deep`);
  }
}

/** The place of the quote that closes the one at `open`, or -1. */
function endOfText(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === 92) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}
