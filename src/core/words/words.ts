// The words of all languages, read when they are first asked for.
import { dataOf } from '../../data/data.ts';
import type { Language } from '../../data/schemas/language.ts';
import { compileWords, type WordList, type Words } from './compile.ts';

const code = ['words.ts', 'compile.ts', 'senses.ts', 'keys.ts'].map((name) => `${import.meta.dirname}/${name}`);

export const words = dataOf<Language, Words>('languages', { by: compileWords, code });

/** A list of all languages as a set, each word as `fold` makes it. */
export function wordSet(list: WordList, fold = (word: string): string => word): () => ReadonlySet<string> {
  let known: ReadonlySet<string> | undefined;
  return () => (known ??= new Set(words()[list].map(fold)));
}
