// Says what was noticed of a roster, or why it cannot be read, in the sentences of `src/data/sentences`.
import { dataOf } from '../../data/data.ts';
import type { Sentences } from '../../data/schemas/sentences.ts';
import { InputError } from '../errors.ts';
import { figure } from '../text/figures.ts';

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

/** The refusal of a name. */
export function refusal(name: string, said: Parameters<typeof say>[2], options?: { cause: unknown }): InputError {
  return new InputError(say(name, 1, said), options);
}
