// Removes the apostrophe by which Excel marks a cell as text, and counts such cells.
import { hasTextMark } from '../../core/cells/formula.ts';
import { say } from '../../core/words/say.ts';
import { isRejectsHeader } from '../../core/rows/row.ts';

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
