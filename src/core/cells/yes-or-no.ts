// Reads cells that say yes or no, in all languages.
import table from '../headings/table.json' with { type: 'json' };

/** What the words of all languages say, gathered when one is first asked for. An empty text is no. */
let flags: ReadonlyMap<string, boolean> | undefined;

/** Reads a flag in many words; undefined for a text that is none. */
export function readFlag(text: string): boolean | undefined {
  flags ??= new Map([
    ['', false] as const,
    ...table.no.split(',').map((word) => [word, false] as const),
    ...table.yes.split(',').map((word) => [word, true] as const),
  ]);
  return flags.get(text.toLowerCase());
}
