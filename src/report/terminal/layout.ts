// Lays out tables and wraps lines by the display width of characters.

/** Characters that take two columns of a terminal: East Asian wide and full-width ones, and emoji. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]|\ufe0f/v;
/** Half-width forms belong to the same scripts, but take one column. */
const halfWidth = /^[\uff61-\uffdc]/;
/** A cluster of nothing but combining or invisible characters takes none. */
const noWidth = /^[\p{M}\p{DI}]+$/v;
const plain = /^[ -~]*$/;
const longest = 5000;

let segmenter: Intl.Segmenter | undefined;

/** The characters as a person counts them, each with the columns it takes on a terminal. */
function* clusters(text: string): Generator<{ segment: string; columns: number }> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) {
    const columns = noWidth.test(segment) ? 0 : wide.test(segment) && !halfWidth.test(segment) ? 2 : 1;
    yield { segment, columns };
  }
}

export function displayWidth(text: string): number {
  // Wider than any terminal; counting further would take long.
  if (text.length > longest || plain.test(text)) return text.length;
  let width = 0;
  for (const { columns } of clusters(text)) width += columns;
  return width;
}

/** Cuts a text to at most a number of columns; a cut is marked by `…`. Never cuts within a character. */
export function clip(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment, columns } of clusters(text.slice(0, longest))) {
    if (used + columns > width - 1) break;
    kept += segment;
    used += columns;
  }
  return `${kept}…`;
}

/** Fills a text with spaces up to a number of columns, on the right, or on the left for figures. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const spaces = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'right' ? text + spaces : spaces + text;
}

/** Breaks between items only; a broken line keeps its separator without the space behind it. */
export function flow(items: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [at, item] of items.entries()) {
    const piece = at < items.length - 1 ? item + separator : item;
    if (line !== '' && displayWidth(line + piece.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return line === '' ? lines : [...lines, line.trimEnd()];
}

/** A column of a table: its heading, its cells, and whether they are figures, which stand to the right. */
export interface Column {
  heading: string;
  cells: readonly string[];
  figures?: boolean;
  /** The fewest columns of the terminal. */
  least?: number;
  /** The column that is cut where the table would be too wide. */
  gives?: boolean;
}

/** Lays out escaped cells as lines, the heading first, with two spaces between columns. */
export function table(columns: readonly Column[], width: number): string[] {
  const widths = columns.map(({ heading, cells, least = 0 }) => {
    return cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), Math.max(least, displayWidth(heading)));
  });
  const over = widths.reduce((sum, each) => sum + each + 2, -2) - width;
  const giving = columns.findIndex(({ gives }) => gives);
  if (over > 0 && giving >= 0) widths[giving] = Math.max(8, (widths[giving] ?? 0) - over);
  const rows = Math.max(0, ...columns.map(({ cells }) => cells.length));
  const lineOf = (cellOf: (column: Column) => string) => {
    const cells = columns.map((column, at) => {
      const room = widths[at] ?? 0;
      return pad(clip(cellOf(column), room), room, column.figures ? 'left' : 'right');
    });
    return cells.join('  ').trimEnd();
  };
  return [
    lineOf(({ heading }) => heading),
    ...Array.from({ length: rows }, (_, row) => lineOf(({ cells }) => cells[row] ?? '')),
  ];
}
