// Sorts the reasons of rejects into a few kinds, for figures that name nobody.

/** What the words of a reason say, the first that fits. */
const kinds = [
  ['shared-address', /^(?:two|\d+) people share this address/],
  ['forgotten', /^this person was erased/],
  ['identity-change', /roster-sync resolve/],
  ['empty', /\b(?:is|are) empty\b|was never stored/],
  ['not-an-address', /is not an e-mail address|has a % or !|only look like ordinary/],
  ['name', /one word: it cannot be split|more than one comma|has a comma: is it|^"" is not ""$/],
  ['day', /is not a day|can be two days/],
  ['yes-or-no', /is neither yes nor no/],
  ['damaged', /more than [\d,]+ characters|half of a character/],
  ['group', /\bgroups?\b/],
] as const;

/** A kind of reject; `other` is what none of the words says. */
export type RejectKind = (typeof kinds)[number][0] | 'other';

/** Sorts the reason of a reject. It may quote a cell; the kind never does. */
export function rejectKind(reason: string): RejectKind {
  // A cell must not decide.
  const words = reason.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return kinds.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other';
}
