// The meaning of words in status columns: active, left, on leave.
import { wordsOf } from '../headings/heading-senses.ts';
import { languages } from '../headings/languages.ts';
import { foldText } from '../mapping/wildcard.ts';

/** What a word of a status column says of a person. Leave is not termination. */
export type StatusKind = 'active' | 'leave' | 'ended' | 'future';

const plain = (text: string): string => foldText(text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '));

let kinds: ReadonlyMap<string, StatusKind> | undefined;

/** The words of all languages, gathered when one is first asked for. */
function gather(): Map<string, StatusKind> {
  return new Map(
    Object.values(languages).flatMap(({ statuses = {} }) =>
      (Object.entries(statuses) as [StatusKind, string][]).flatMap(([kind, words]) =>
        wordsOf(words).map((word) => [plain(word), kind] as const),
      ),
    ),
  );
}

/** What a status says; undefined for a word that is not known. */
export function statusKind(text: string): StatusKind | undefined {
  kinds ??= gather();
  return kinds.get(plain(text));
}
