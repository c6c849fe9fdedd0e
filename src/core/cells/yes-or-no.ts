// Reads cells that say yes or no, in all languages.
import { words } from '../words/words.ts';

/** What the words of all languages say, gathered when one is first asked for. An empty text is no. */
let flags: ReadonlyMap<string, boolean> | undefined;

export function readFlag(text: string): boolean | undefined {
  flags ??= new Map([
    ['', false] as const,
    ...words().no.map((word) => [word, false] as const),
    ...words().yes.map((word) => [word, true] as const),
  ]);
  return flags.get(text.toLowerCase());
}
