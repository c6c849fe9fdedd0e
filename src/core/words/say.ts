// Says what was noticed of a roster, or why it cannot be read, in the sentences of `src/data/sentences`.
import { dataOf } from '../../data/data.ts';
import type { Sentences } from '../../data/schemas.ts';
import { figure } from '../text/format.ts';

export const sentences = dataOf<Sentences, Sentences>('sentences', {
  by: (files) => Object.assign({}, ...Object.values(files)) as Sentences,
  code: [import.meta.filename],
});

/** The sentence of a name about so many, with what its braces stand for. */
export function say(
  name: string,
  count: number,
  said: Readonly<Record<string, string | number | undefined>> = {},
): string {
  return (sentences()[name] ?? name)
    .replaceAll(/\[([^[|\]]*)\|([^[\]]*)\]/g, (_, one: string, many: string) => (count === 1 ? one : many))
    .replaceAll(/#(?= )|\{(\w+)\}/g, (_, key?: string) => (key === undefined ? figure(count) : String(said[key])));
}

/** A text as a sentence: with a capital, and a full stop where it has no sign at its end. */
export function sentence(text: string): string {
  return `${text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}${/[.?!]$/.test(text) ? '' : '.'}`;
}
