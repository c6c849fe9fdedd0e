// Finds secrets in a text, and beginnings of secrets where a text was cut.
import { startOf, type Unescaped } from './unescape.ts';

/** From this number of characters on, the beginning of a secret at the end of a cut text is taken for one. */
const leastBeginning = 4;
/** Units that may be left of one more character when a text was cut within it. */
const mostLeft = 4;

/** The places of a form in a text. A weak one counts only where it is a whole value. */
export function* findAll(text: string, form: string, isWeak: boolean): Generator<number> {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
    if (!isWeak || isWholeValue(text, at, at + form.length)) yield at;
  }
}

const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '\u201c': '\u201d', '«': '»' };

/** Whether a stretch of a text is all of it, is in quotes and not a key of JSON, or comes right after `=` or `:`. */
function isWholeValue(text: string, from: number, to: number): boolean {
  const before = text[from - 1];
  const after = text[to];
  if (before === undefined) return after === undefined;
  if (quotes[before] !== undefined) return quotes[before] === after && !/^\s*:/.test(text.slice(to + 1, to + 11));
  if (before !== '=' && before !== ':') return false;
  return after === undefined || /[\s&;,@"'\])}>]/.test(after);
}

/**
 * Undefined if it ends in none. What is left of a character that was cut in two, or of its escape, does not count.
 */
export function beginningAtEnd(level: Unescaped, form: string): number | undefined {
  const { text } = level;
  const end = text.length - tailOf(text);
  const longest = longestSuffix(text, end, form);
  if (longest >= leastBeginning) return end - longest;
  for (let left = 1; left <= mostLeft && isLeftover(level, end - left); left++) {
    const length = longestSuffix(text, end - left, form);
    if (length >= leastBeginning) return end - left - length;
  }
  return undefined;
}

/** The length of an escape that the text was cut in. */
function tailOf(text: string): number {
  return (
    /(?:%[\dA-Fa-f]?|\\(?:[ux][\dA-Fa-f]{0,4})?|&(?:#[xX]?[\dA-Fa-f]{0,8}|[a-z]{0,5}))$/.exec(text.slice(-12))?.[0]
      .length ?? 0
  );
}

/** Whether a unit can be left of a character: it came from an escape, or is half of one. */
function isLeftover(level: Unescaped, at: number): boolean {
  const code = level.text.charCodeAt(at);
  if (code === 0xfffd || (code >= 0xd800 && code <= 0xdfff)) return true;
  return at >= 0 && startOf(level, at + 1) - startOf(level, at) > 1;
}

/** The length of the longest beginning of `form`, but not all of it, that the first `end` units of the text end in (Knuth, Morris, Pratt). */
function longestSuffix(text: string, end: number, form: string): number {
  const fallbacks = new Uint32Array(form.length);
  for (let at = 1, length = 0; at < form.length; at++) {
    while (length > 0 && form[at] !== form[length]) length = fallbacks[length - 1] ?? 0;
    if (form[at] === form[length]) length++;
    fallbacks[at] = length;
  }
  let length = 0;
  for (let at = Math.max(0, end - form.length + 1); at < end; at++) {
    while (length > 0 && text[at] !== form[length]) length = fallbacks[length - 1] ?? 0;
    if (text[at] === form[length]) length++;
  }
  return length;
}
