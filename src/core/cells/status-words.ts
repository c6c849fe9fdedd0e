// The meaning of words in status columns: active, left, on leave.
import type { StatusKind } from '../words/compile.ts';
import { statusKey } from '../words/keys.ts';
import { words } from '../words/words.ts';

/** By `statusKey`. */
let kinds: ReadonlyMap<string, StatusKind> | undefined;

export function statusKind(text: string): StatusKind | undefined {
  kinds ??= new Map(Object.entries(words().statuses));
  const key = statusKey(text);
  return kinds.get(key) ?? endedWithMore(key, kinds);
}

/** Whether words say of some that they are there, and of others that they are not: then their column tells a status. */
export function tellWhoIsThere(words: readonly string[]): boolean {
  const found = new Set(words.map(statusKind));
  return (found.has('active') || found.has('leave')) && (found.has('ended') || found.has('future'));
}

/** The most words that a known status has before what is added to it. */
const mostWords = 3;
/** Shorter ones are codes and may begin anything. */
const shortest = 4;
/** Scripts without spaces between words need fewer signs. */
const ideographs = /^[\p{Script=Han}\p{Script=Hangul}]{2,}/u;

/** `ended` for a status that begins with one and says more, such as a day or a reason: `ausgeschieden zum 31.10.` */
function endedWithMore(key: string, known: ReadonlyMap<string, StatusKind>): StatusKind | undefined {
  const words = key.split(' ');
  for (let count = Math.min(mostWords, words.length - 1); count > 0; count -= 1) {
    const begin = words.slice(0, count).join(' ');
    const kind = known.get(begin);
    if (kind === undefined || (begin.length < shortest && !ideographs.test(begin))) continue;
    return kind === 'ended' && !saysOtherwise(words.slice(count), known) ? kind : undefined;
  }
  return undefined;
}

/** Whether the words after one say that somebody is there all the same: `Retired, working part time`. */
function saysOtherwise(words: readonly string[], known: ReadonlyMap<string, StatusKind>): boolean {
  return words.some((word, at) =>
    [word, words.slice(at, at + 2).join(' ')].some((part) => {
      const kind = part.length < shortest ? undefined : known.get(part);
      return kind !== undefined && kind !== 'ended';
    }),
  );
}
