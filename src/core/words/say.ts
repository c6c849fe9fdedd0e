// Says what was noticed of a roster, or why it cannot be read, in the sentences of `src/data/sentences`.
import { dataOf } from '../../data/data.ts';
import type { Sentences } from '../../data/schemas.ts';
import { figure } from '../text/format.ts';

export const sentences = dataOf<Sentences, Sentences>('sentences', {
  by: (files) => Object.assign({}, ...Object.values(files)) as Sentences,
  code: [import.meta.filename],
});

/** By language, what pages say in it, by its English: `src/page/words.ts`. */
export const pageLanguages = dataOf<Readonly<Record<string, string>>>('page-languages');

/** The sentence of a name about so many, with what its braces stand for. */
export function say(
  name: string,
  count: number,
  said: Readonly<Record<string, string | number | undefined>> = {},
): string {
  return filled(sentences()[name] ?? name, count === 1, figure(count), said);
}

/** A sentence that is about one or many, with its figure and what its braces stand for. */
export function filled(
  text: string,
  isOne: boolean,
  figure: string,
  said: Readonly<Record<string, string | number | undefined>>,
): string {
  return text
    .replaceAll(/\[([^[|\]]*)\|([^[\]]*)\]/g, (_, one: string, many: string) => (isOne ? one : many))
    .replaceAll(/#(?= )|\{(\w+)\}/g, (_, key?: string) => (key === undefined ? figure : String(said[key])));
}

/** A text as a sentence: with a capital, and a full stop where it has no sign at its end. */
export function sentence(text: string): string {
  return `${text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}${/[.?!]$/.test(text) ? '' : '.'}`;
}
