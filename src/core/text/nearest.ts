// Finds the known name closest to a misspelt one.

/** Longer texts are no slips of each other. */
const longest = 100;

/**
 * The number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other; Infinity for
 * more than `most`, so that only letters at most so far from each other are compared.
 */
function distance(from: string, to: string, most: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current: number[] = [];
    current[0] = row;
    for (let column = Math.max(1, row - most); column <= Math.min(to.length, row + most); column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swap = swapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity;
      const [above, before, both] = [last[column], current[column - 1], last[column - 1]];
      current[column] = Math.min((above ?? Infinity) + 1, (before ?? Infinity) + 1, (both ?? Infinity) + same, swap);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? Infinity;
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_\s]/g, '');

/** Case and separators do not count; undefined when none is nearer than `most` edits, or a third of its length, or it is too long for a slip. */
export function nearest(
  name: string,
  known: readonly string[],
  most = Math.ceil(plain(name).length / 3),
): string | undefined {
  const asked = plain(name);
  if (asked.length > longest) return undefined;
  const ranked = known
    .map((candidate) => ({ candidate, text: plain(candidate) }))
    // Each letter more or less is an edit.
    .filter(({ text }) => Math.abs(text.length - asked.length) <= most)
    .map(({ candidate, text }) => ({ candidate, edits: distance(asked, text, most) }))
    .toSorted((a, b) => a.edits - b.edits);
  return ranked[0] && ranked[0].edits <= most ? ranked[0].candidate : undefined;
}
