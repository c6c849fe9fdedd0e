// Finds what was said below the pages, and kept in English, in the language of a page.
import { sentence, sentences } from '../core/words/say.ts';
import { inPageWords } from './press.ts';
import { figure, language, messageOf, t } from './words.ts';

/** One form of a sentence: its words, each followed by the name of what is filled in; `#` is the number. */
interface Form {
  english: string;
  isOne: boolean;
  words: string[];
  names: string[];
}

function formOf(english: string, isOne: boolean): Form {
  const parts = english
    .replaceAll(/\[([^[|\]]*)\|([^[\]]*)\]/g, (_, one: string, many: string) => (isOne ? one : many))
    .replace(/\.$/, '')
    .split(/\{(?=\w+\})(\w+)\}|(?=# )(#)/);
  const words = parts.filter((_, at) => at % 3 === 0).map((part) => (part ?? '').toLowerCase());
  // Of each hole there is either a name or the sign of the number.
  const names = parts.filter((part, at) => at % 3 > 0 && part !== undefined);
  return { english, isOne, words, names };
}

/**
 * Where a word is next, outside of quotes, in which others wrote; -1 where it is not. What another hole follows at once is a
 * number.
 */
function endOf(word: string, text: string, from: number): number {
  if (word === '') return from + (/^[\d,]*/.exec(text.slice(from))?.[0].length ?? 0);
  if (!text.includes(word, from)) return -1;
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith(word, at)) return at;
  }
  return -1;
}

/** What is filled in, hole by hole, where a text has this form. */
function filledIn(text: string, { words, names }: Form): Record<string, string> | undefined {
  const lower = text.toLowerCase();
  const [head = ''] = words;
  if (!lower.startsWith(head)) return undefined;
  const filled: Record<string, string> = {};
  let from = head.length;
  for (const [at, name] of names.entries()) {
    const next = words[at + 1] ?? '';
    const isLast = at === names.length - 1;
    const to = isLast ? text.length - next.length : endOf(next, lower, from);
    if (to < from || !lower.startsWith(next, to)) return undefined;
    const value = text.slice(from, to);
    if ((filled[name] ?? value) !== value || (name === '#' && !/^\d[\d,]*$/.test(value))) return undefined;
    filled[name] = value;
    from = to + next.length;
  }
  return names.length > 0 || lower === head ? filled : undefined;
}

/** What is said below as a page says it, and a catalogue may have. */
export const saidBelow = (): string[] =>
  Object.entries(sentences())
    .filter(([name]) => !/^(?:command|config)-/.test(name))
    .map(([name, text]) => inPageWords(name.startsWith('next-') ? `{step} ${text}` : text))
    // A page takes those of several lines apart.
    .flatMap((text) => (text.includes('\n') ? [text, ...text.split('\n')] : text));

let forms: Form[] | undefined;
/** All of them, what stays the same in most letters first. */
const allForms = (): Form[] =>
  (forms ??= saidBelow()
    .flatMap((text) => (text.includes('[') ? [formOf(text, true), formOf(text, false)] : [formOf(text, true)]))
    .toSorted((one, other) => other.words.join('').length - one.words.join('').length));

/** What was said, in the language of the page, sentence by sentence; in English where it is no sentence that is known. */
export function told(said: string): string {
  if (language() === 'en' || said === '' || said.length > longestTold) return said;
  const key = `${language()} ${said}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= mostRemembered) remembered.clear();
  const words = toldByParts(said);
  remembered.set(key, words);
  return words;
}

/** Longer texts list values of a file; each part of a text is compared with every sentence. */
const longestTold = 8000;
const mostRemembered = 500;
const remembered = new Map<string, string>();

function toldByParts(said: string): string {
  const byClause = (text: string): string =>
    toldWhole(text) ??
    text
      .split(/([;:]\s)/)
      .map((part) => toldWhole(part) ?? part)
      .join('');
  return (
    toldWhole(said) ??
    said
      .split(/(?<=[.?!])(\s)/)
      .map(byClause)
      .join('')
  );
}

/** A number as English has it: other languages write it otherwise. */
const largeNumber = /^\d{1,3}(?:,\d{3})+$/;

/** What was filled in: a sentence, a number, or a name, which stays as it is. */
function toldWithin(value: string): string {
  return largeNumber.test(value) ? figure(Number(value.replaceAll(',', ''))) : (toldAsSentence(value) ?? value);
}

function toldWhole(said: string): string | undefined {
  // A single word may be a name of a group or a column.
  return (said.includes(' ') ? messageOf(said) : undefined) ?? toldAsSentence(said);
}

function toldAsSentence(said: string): string | undefined {
  const text = said.replace(/\.$/, '');
  for (const form of allForms()) {
    const filled = messageOf(form.english) === undefined ? undefined : filledIn(text, form);
    if (!filled) continue;
    const { '#': count = form.isOne ? '1' : '2', ...names } = filled;
    const values = Object.entries(names).map(([name, value]): [string, string] => [name, toldWithin(value)]);
    return asWritten(said, t(form.english, Number(count.replaceAll(',', '')), Object.fromEntries(values)));
  }
  return undefined;
}

/** With a capital and a full stop where what was said has them. */
function asWritten(said: string, other: string): string {
  const whole = /^\p{Lu}/u.test(said) ? sentence(other) : other;
  return `${whole.replace(/\.$/, '')}${said.endsWith('.') ? '.' : ''}`;
}
