// The meaning of words in status columns: active, left, on leave.
import table from '../headings/table.json' with { type: 'json' };
import { foldText } from '../mapping/wildcard.ts';

/** What a word of a status column says about a person. Leave is not termination. */
export type StatusKind = 'active' | 'leave' | 'ended' | 'future';

/** What all spellings of a word of a status column have in common. */
export function statusKey(text: string): string {
  return foldText(text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '));
}

let kinds: ReadonlyMap<string, StatusKind> | undefined;

/** The words of all languages, gathered when one is first asked for. */
function gather(): Map<string, StatusKind> {
  return new Map(
    Object.entries(table.statuses).flatMap(([kind, words]) =>
      words.split(',').map((word) => [word, kind as StatusKind] as const),
    ),
  );
}

/** What a status says; undefined for a word that is not known. */
export function statusKind(text: string): StatusKind | undefined {
  kinds ??= gather();
  return kinds.get(statusKey(text));
}
