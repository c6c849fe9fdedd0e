// A secret, which never prints itself, and the redactor of texts and errors, also of texts that were cut.
import { inspect } from 'node:util';
import { InputError } from '../errors.ts';
import { formsOf, isWeakSecret } from './secret-forms.ts';
import { startOf, unescapeLevels, type Unescaped } from './unescape.ts';

const mask = '***';

/** A value that must never be shown: it prints as `***` everywhere except through `reveal()`. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  /** The value itself; only for the place that puts it on the wire. */
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return mask;
  }
  toJSON(): string {
    return mask;
  }
  [inspect.custom](): string {
    return mask;
  }
}

/** `cut`: the text may end in a secret, so a beginning of one (from four characters) at its end goes too. */
export type Redact = (text: string, cut?: boolean) => string;

/**
 * Builds the function that replaces every form of the given secrets in a text by `***` (see `formsOf`), however the text
 * writes them: plain, URL-encoded, as JSON does or as HTML does, several times over, character by character. What is short or
 * a common word is replaced only where it is a whole value (`"…"`, `=…`, `:…`, or all there is). Its steps grow with the
 * length of the text, whatever is in it.
 */
export function redactor(secrets: readonly Secret[]): Redact {
  const values = secrets.map((secret) => secret.reveal());
  const found = new Set(values.flatMap(formsOf).flatMap((form) => unescapeLevels(form).map(({ text }) => text)));
  const forms = [...found].map((form) => ({ form, isWeak: isWeakSecret(form) }));
  if (forms.length === 0) return (text) => text;
  return (text, cut = false) => {
    const spans: [from: number, to: number][] = [];
    for (const level of unescapeLevels(text)) {
      for (const { form, isWeak } of forms) {
        for (const at of findAll(level.text, form, isWeak)) {
          spans.push([startOf(level, at), startOf(level, at + form.length)]);
        }
        const begun = cut && !isWeak ? beginningAtEnd(level, form) : undefined;
        if (begun !== undefined) spans.push([startOf(level, begun), text.length]);
      }
    }
    return spans.length === 0 ? text : withoutSpans(text, spans);
  };
}

/** The same, but what equals a name of ours (`own`) is that name. */
export function redactorOf(secrets: readonly Secret[], own: readonly string[]): Redact {
  return redactor(secrets.filter((secret) => !own.includes(secret.reveal())));
}

function withoutSpans(text: string, spans: [from: number, to: number][]): string {
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    if (from >= end) parts.push(text.slice(end, from), mask);
    end = Math.max(end, to);
  }
  return parts.join('') + text.slice(end);
}

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

/** The length of the longest beginning of `form`, but not all of it, that the first `end` units of the text end in. */
function longestSuffix(text: string, end: number, form: string): number {
  let length = Math.min(end, form.length - 1);
  while (length > 0 && !text.startsWith(form.slice(0, length), end - length)) length--;
  return Math.max(0, length);
}

/** The depth to which causes of causes are redacted. */
const deepest = 8;

/** In place, to be thrown on: code that keeps or shows it later has nothing to hide any more. */
export function redactError(error: unknown, redact: Redact): unknown {
  let each = error;
  for (let depth = 0; depth < deepest && each instanceof Error; depth++) {
    each.message = redact(each.message);
    if (each instanceof InputError) each.withoutWords = redact(each.withoutWords);
    if (each.stack !== undefined) each.stack = redact(each.stack);
    each = each.cause;
  }
  return error;
}
