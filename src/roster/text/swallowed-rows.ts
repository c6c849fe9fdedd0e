// Finds the rows that a stray quote has put into one cell.

/** A roster whose rows have no addresses has at least a name and an id. */
const fewest = 3;

/**
 * The first and one more are as wide as the header, with an address in the same place; without one there, two more
 * are as wide. Lines of an address or a note are not.
 */
export function areRows([first = [], ...others]: readonly (readonly string[])[], width?: number): boolean {
  if (first.length !== width) return false;
  const at = first.findIndex((cell) => cell.includes('@'));
  const isRow = (cells: readonly string[]): boolean =>
    cells.length === width && (at === -1 || cells[at]?.includes('@') === true);
  const rows = others.filter(isRow).length;
  return at === -1 ? rows > 1 && first.length >= fewest : rows > 0;
}

/** The cells on each line of a record some of whose cells have line ends in them. */
export function cellsByLine(
  cells: readonly string[],
  { delimiter, lineEnd }: { delimiter: string; lineEnd: string },
): string[][] {
  let row: string[] = [];
  const rows = [row];
  for (const cell of cells) {
    const [first = '', ...lines] = cell.split(lineEnd).map((line) => line.replace(/\r$/, ''));
    row.push(...(lines.length === 0 ? [cell] : first.split(delimiter)));
    for (const line of lines) rows.push((row = line.split(delimiter)));
  }
  return rows;
}
