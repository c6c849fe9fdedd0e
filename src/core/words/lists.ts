// Lists of words that are the same in all languages.
import { dataOf } from '../../data/data.ts';
import type { List } from '../../data/schemas/list.ts';
import { wordsOf } from './senses.ts';

const files = dataOf<List>('lists');

/** The words of `src/data/lists/<name>.yaml`, read when it is first asked for. */
export function listOf(
  name: 'common-secrets' | 'dead-ends' | 'group-kinds' | 'mistyped-domains' | 'surnames-of-two',
): () => ReadonlySet<string> {
  let words: ReadonlySet<string> | undefined;
  return () => (words ??= new Set(wordsOf(files()[name]?.words)));
}
