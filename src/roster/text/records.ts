// Cuts CSV text into whole records, with respect for quotes.

/** How the records of a text are told apart. */
export interface Dialect {
  /** One UTF-16 unit. */
  delimiter: string;
  /** What ends a record; `\n` stands for `\r\n` too. */
  lineEnd: '\n' | '\r';
}

/** Whole records, each with its line end. */
export interface Block {
  text: string;
  /** The 1-based line on which the block begins. */
  line: number;
  /** The number of records, blank lines among them. */
  records: number;
  /** What ends every record of the block. */
  newline: '\n' | '\r\n' | '\r';
  /** Records may end with a `\r` that belongs to their line end. Only in blocks without quotes. */
  carriageReturns: boolean;
  /** There are line ends inside quotes. */
  hasInnerLines: boolean;
  /** One record in which a closing quote is followed by other text. */
  isMalformed: boolean;
}

/** What a cutter cannot go on from. */
export class RecordFailure extends Error {
  /** The 1-based line to name. */
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface Scan {
  blocks: Block[];
  /** The beginning of the record that is not complete yet. */
  rest: number;
  open: number;
}

interface Part {
  /** Where they begin in the text. */
  start: number;
  records: number;
  /** Line ends inside quotes. */
  inner: number;
  /** The places of each `\r` that belongs to a line end. */
  carriageReturns: number[];
}

/**
 * Cuts a stream of text into blocks of whole records: at line ends outside quotes. A quote opens at the beginning
 * of a cell only; where a closing one is followed by something else than spaces, the rest of the cell is taken as
 * unquoted, as spreadsheets do, so that one bad cell spoils one record and not the file.
 */
export class RecordCutter {
  readonly #dialect: Dialect;
  readonly #limit: number;
  #rest = '';
  #line = 1;

  /** `limit`: characters of a record. */
  constructor(dialect: Dialect, limit: number) {
    this.#dialect = dialect;
    this.#limit = limit;
  }

  /** The line on which the record begins that is not complete yet. */
  get line(): number {
    return this.#line;
  }

  /** Takes the next text and gives the records that are complete. Throws a `RecordFailure`. */
  cut(text: string): Block[] {
    const all = this.#rest + text;
    if (!all.includes('"')) return this.#cutPlain(all);
    const { blocks, rest, open } = this.#scan(all);
    this.#rest = all.slice(rest);
    if (this.#rest.length > this.#limit) this.#fail(open === -1 ? -1 : open - rest);
    return blocks;
  }

  /** Gives the last record, where no line end follows it. Throws a `RecordFailure` for a quote left open. */
  end(): Block[] {
    if (this.#rest === '') return [];
    const all = this.#rest + this.#dialect.lineEnd;
    const { blocks, rest, open } = this.#scan(all);
    this.#rest = all.slice(rest);
    if (this.#rest !== '') this.#fail(open - rest);
    return blocks;
  }

  #cutPlain(text: string): Block[] {
    const { lineEnd } = this.#dialect;
    const end = text.lastIndexOf(lineEnd) + 1;
    this.#rest = text.slice(end);
    let block: Block | undefined;
    if (end > 0) {
      const body = text.slice(0, end);
      block = this.#block(body, countOf(body, lineEnd));
      block.carriageReturns = lineEnd === '\n' && body.includes('\r');
    }
    if (this.#rest.length > this.#limit) this.#fail(-1);
    return block ? [block] : [];
  }

  /** Begins a block at the current line and moves the line on by its records. */
  #block(text: string, records: number): Block {
    const line = this.#line;
    this.#line += records;
    const flags = { carriageReturns: false, hasInnerLines: false, isMalformed: false };
    return { text, line, records, newline: this.#dialect.lineEnd, ...flags };
  }

  /** `open`: the place in the rest of the quote that was not closed, or -1. */
  #fail(open: number): never {
    if (open === -1) {
      throw new RecordFailure(this.#line, `the line is longer than ${this.#limit} characters. Is it a CSV file?`);
    }
    const line = this.#line + countOf(this.#rest.slice(0, open), this.#dialect.lineEnd);
    throw new RecordFailure(
      line,
      'a quote opens a cell and is never closed. Close it, or double it ("") if it belongs to the text.',
    );
  }

  #scan(text: string): Scan {
    const { delimiter, lineEnd } = this.#dialect;
    const blocks: Block[] = [];
    let part: Part = { start: 0, records: 0, inner: 0, carriageReturns: [] };
    let recordStart = 0;
    let recordInner = 0;
    let isMalformed = false;
    let open = -1;
    const close = (end: number) => {
      if (end > part.start) blocks.push(this.#quotedBlock(text.slice(part.start, end), part, isMalformed));
      part = { start: end, records: 0, inner: 0, carriageReturns: [] };
    };
    const closeBeforeMalformed = () => {
      isMalformed = false;
      close(recordStart);
      isMalformed = true;
    };

    let nextEnd = text.indexOf(lineEnd);
    let quote = text.indexOf('"');
    for (;;) {
      for (; nextEnd !== -1 && (quote === -1 || nextEnd < quote); nextEnd = text.indexOf(lineEnd, nextEnd + 1)) {
        if (isMalformed) closeBeforeMalformed();
        part.records++;
        part.inner += recordInner;
        if (lineEnd === '\n' && text[nextEnd - 1] === '\r') part.carriageReturns.push(nextEnd - 1);
        recordStart = nextEnd + 1;
        recordInner = 0;
        if (isMalformed) close(recordStart);
        isMalformed = false;
      }
      if (quote === -1) break;
      if (quote !== recordStart && text[quote - 1] !== delimiter) {
        quote = text.indexOf('"', quote + 1);
        continue;
      }
      const end = closingQuote(text, quote);
      const after = end === -1 ? -1 : afterSpaces(text, end + 1, delimiter, lineEnd);
      if (after === -1) {
        open = quote;
        break;
      }
      for (; nextEnd !== -1 && nextEnd < end; nextEnd = text.indexOf(lineEnd, nextEnd + 1)) recordInner++;
      if (text[after] !== delimiter && text[after] !== lineEnd) isMalformed = true;
      quote = text.indexOf('"', end + 1);
    }
    if (isMalformed) closeBeforeMalformed();
    else close(recordStart);
    return { blocks, rest: recordStart, open };
  }

  #quotedBlock(text: string, { start, records, inner, carriageReturns }: Part, isMalformed: boolean): Block {
    const block = this.#block(text, records);
    this.#line += inner;
    block.hasInnerLines = inner > 0;
    block.isMalformed = isMalformed;
    if (carriageReturns.length === 0) return block;
    if (carriageReturns.length === records) block.newline = '\r\n';
    else block.text = without(text, carriageReturns, start);
    return block;
  }
}

/** The place of the quote that closes the one at `open`, or -1. A doubled quote does not. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** The place of what follows a closing quote and spaces; -1 when that is not in the text yet. */
function afterSpaces(text: string, from: number, delimiter: string, lineEnd: string): number {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === delimiter || character === lineEnd || character.trim() !== '') return at;
  }
  return -1;
}

/** A text without the characters at the given places, which count from `start`. */
function without(text: string, places: readonly number[], start: number): string {
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place - start));
    from = place - start + 1;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** How often a character occurs in a text. */
export function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}
