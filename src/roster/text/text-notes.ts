// Notices text that was spoilt before it reached us: apostrophes of Excel, which are removed, and `Ã¼` for `ü`.
import { hasTextMark } from '../../core/cells/read-cell.ts';
import { say } from '../../core/words/say.ts';
import { isRejectsHeader } from '../../core/rows/row.ts';
import { mojibake, quote } from '../../core/text/format.ts';

export class Apostrophes {
  #count = 0;
  #firstLine = 0;

  /** Changes the cells of the row on a line. */
  strip(cells: string[], line: number): void {
    // Of a million rows each pair that `entries` makes is garbage.
    for (let at = 0; at < cells.length; at += 1) {
      const cell = cells[at] ?? '';
      if (!hasTextMark(cell)) continue;
      if (this.#count === 0) this.#firstLine = line;
      this.#count += 1;
      cells[at] = cell.slice(1);
    }
  }

  /** Adds what a person should hear of it to the notes, once. We write such apostrophes to files of rejects ourselves. */
  addTo(notes: string[], header: readonly string[]): void {
    if (this.#count === 0 || isRejectsHeader(header)) return;
    const note = say('apostrophes', this.#count, { line: this.#firstLine });
    if (!notes.includes(note)) notes.push(note);
  }
}

/** A number that a spreadsheet has shortened: `4.57E+11`. */
const scientific = /(?<![\p{L}\p{N}])\d(?:[.,]\d+)?E\+\d{2}(?!\d)/u;

interface Sign {
  /** Looked for first: a plain text is found much faster than a pattern. */
  hint: readonly string[];
  pattern: RegExp;
  remark: string;
}

const signs: readonly Sign[] = [
  { hint: ['Ã', 'Â', 'â€'], pattern: mojibake, remark: 'garbledText' },
  { hint: ['\ufffd'], pattern: /\ufffd/, remark: 'lostText' },
  { hint: ['E+'], pattern: scientific, remark: 'scientificText' },
];

/** Looks through texts for what was spoilt before it came here, and says each thing once, with its first line. */
export class TextNotes {
  readonly #notes: string[];
  #left: readonly Sign[];

  /** Sentences are added to `notes`. A text that is in a single-byte encoding may hold what looks like mojibake. */
  constructor(notes: string[], encoding: string) {
    this.#notes = notes;
    this.#left = encoding.startsWith('utf-') ? signs : signs.slice(1);
  }

  /** `line`: the 1-based line on which the text begins. */
  see(text: string, line: number): void {
    for (const sign of this.#left) {
      if (!sign.hint.some((hint) => text.includes(hint))) continue;
      const found = sign.pattern.exec(text);
      if (!found) continue;
      const before = text.slice(0, found.index);
      const lines = before.split(before.includes('\n') ? '\n' : '\r').length - 1;
      const sentence = say(sign.remark, 1, { text: quote(found[0]), line: line + lines });
      if (!this.#notes.includes(sentence)) this.#notes.push(sentence);
      this.#left = this.#left.filter((other) => other !== sign);
    }
  }
}
