// The meaning of words in status columns: active, left, on leave.
import { readDay } from './days.ts';
import { isDamaged, isPlaceholder } from './placeholders.ts';
import { statusKey, type StatusKind, words, wordSet } from '../words/words.ts';

let kinds: ReadonlyMap<string, StatusKind> | undefined;
/** By `statusKey`. */
const allKinds = (): ReadonlyMap<string, StatusKind> => (kinds ??= new Map(Object.entries(words().statuses)));

export function statusKind(text: string): StatusKind | undefined {
  const key = statusKey(text);
  return allKinds().get(key) ?? endedWithMore(key, allKinds());
}

/** What a code says in a column of this name only, such as the 2 of `Enroll_Status`. */
export function kindOfCode(column: string, code: string): StatusKind | undefined {
  // Of signs such as ✓ nothing is left.
  return statusKey(code) === '' ? undefined : allKinds().get(statusKey(`${column} ${code}`));
}

const people = wordSet('people', statusKey);
const notGone = wordSet('notGone', statusKey);
/** What stands between the levels of a path or distinguished name, and between groups. */
const levels = /[/\\>;|,]|\b(?:OU|CN|DC|O)=/i;

const removals = wordSet('removals', statusKey);
const isRemoval = (text: string): boolean => removals().has(text) || isEnded(text);

/** What stands behind an action: whose it is, or why. */
const behind = /[:(（：]|\s[-–—]\s/;

/** Whether an action, or a level of it, is that somebody leaves: `Delete`, `Terminate Employee > Voluntary`, `Terminate: Ann Ek`. */
export const saysRemoved = (action: string): boolean =>
  [action, action.split(behind, 1)[0] ?? ''].some((text) => saysGone(text, isRemoval));

/** Whether a group or unit, or a level of it, says that its people are gone: `Leavers`, `/Suspended Users`, `OU=Disabled Users`. */
export function saysGone(name: string, says = isEnded): boolean {
  return name.split(levels).some((level) => {
    const parts = statusKey(level).split(' ');
    let hasEnded = false;
    for (let at = 0; at < parts.length;) {
      const count = [3, 2, 1].find((most) => says(parts.slice(at, at + most).join(' '))) ?? 0;
      const word = parts[at] ?? '';
      if (
        count === 0 &&
        !people().has(word) &&
        !/^[xz]+$/.test(word) &&
        (word.length >= shortest - 1 || ideographs.test(word))
      )
        return false;
      hasEnded ||= count > 0;
      at += Math.max(1, count);
    }
    return hasEnded;
  });
}

/** Whether the name of a file or sheet says so, with a year or without. */
export const isTitleOfGone = (name: string): boolean => saysGone(name.replace(/\.\w+$/, '').replaceAll(/\d+/g, ' '));

/** Whether a name of a group is one that stays, although a status may be called so: `Archive`. */
export const staysSo = (name: string): boolean => notGone().has(statusKey(name));

function isEnded(text: string): boolean {
  if (allKinds().get(text) !== 'ended' || notGone().has(text)) return false;
  return text.length > shortest || ideographs.test(text);
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

/** What the words of all languages say, gathered when one is first asked for. An empty text is no. */
let flags: ReadonlyMap<string, boolean> | undefined;

export function readFlag(text: string): boolean | undefined {
  flags ??= new Map([
    ['', false] as const,
    ...words().no.map((word) => [word, false] as const),
    ...words().yes.map((word) => [word, true] as const),
  ]);
  return flags.get(text.toLowerCase());
}

/** Whether a cell of a last day says that there is none: `permanent`, `unbefristet`, `NULL`, `No`, or nothing. */
export const saysNoEnd = (text: string): boolean =>
  readFlag(text) === false ||
  (isPlaceholder(text) && !isDamaged(text)) ||
  statusKind(text) === 'active' ||
  noEnd().has(statusKey(text));

const noEnd = wordSet('noEnd', statusKey);

/** Reads a last day, as `readDay`; also undefined where a text says that there is none. */
export const readLastDay = (...[text, order, timezone]: Parameters<typeof readDay>): ReturnType<typeof readDay> =>
  saysNoEnd(text) ? undefined : readDay(text, order, timezone);
