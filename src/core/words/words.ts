// The words of all languages, read when they are first asked for.
import { dataOf } from '../../data/data.ts';
import type { Language } from '../../data/schemas/language.ts';
import { compileWords, type WordList, type Words } from './compile.ts';
import type { List } from '../../data/schemas/lists.ts';
import { wordsOf } from './senses.ts';

const code = ['words.ts', 'compile.ts', 'senses.ts', 'keys.ts'].map((name) => `${import.meta.dirname}/${name}`);

export const words = dataOf<Language, Words>('languages', { by: compileWords, code });

/** A list of all languages as a set, each word as `fold` makes it. */
export function wordSet(list: WordList, fold = (word: string): string => word): () => ReadonlySet<string> {
  let known: ReadonlySet<string> | undefined;
  return () => (known ??= new Set(words()[list].map(fold)));
}

const files = dataOf<List>('lists');

/** The words of `src/data/lists/<name>.yaml`, read when it is first asked for. */
export function listOf(
  name:
    | ('common-secrets' | 'dead-ends' | 'free-mail' | 'group-kinds' | 'ldap-attributes' | 'mistyped-domains')
    | ('parts-of-years' | 'record-lists' | 'short-months' | 'surnames-of-two')
    | `more-${'next' | 'flags' | 'ends' | 'totals' | 'pages' | 'links' | 'envelopes'}`,
): () => ReadonlySet<string> {
  let words: ReadonlySet<string> | undefined;
  return () => (words ??= new Set(wordsOf(files()[name]?.words)));
}
