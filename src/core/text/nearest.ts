// Finds the known name closest to a misspelt one.

/** The number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const around = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + same];
      current.push(Math.min(...around, swapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity));
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_\s]/g, '');

/** Case and separators do not count; undefined when none is nearer than `most` edits, or a third of its length. */
export function nearest(name: string, known: readonly string[], most = Math.ceil(name.length / 3)): string | undefined {
  const asked = plain(name);
  const ranked = known
    .map((candidate) => ({ candidate, text: plain(candidate) }))
    // Each letter more or less is an edit; the name of a column may be very long.
    .filter(({ text }) => Math.abs(text.length - asked.length) <= most)
    .map(({ candidate, text }) => ({ candidate, edits: distance(asked, text) }))
    .toSorted((a, b) => a.edits - b.edits);
  return ranked[0] && ranked[0].edits <= most ? ranked[0].candidate : undefined;
}
