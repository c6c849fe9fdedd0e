// Splits a whole name into first and last name.
import type { NameForm } from './mapping-rules.ts';
import { listOf, wordSet } from '../words/words.ts';
import { quote } from '../text/format.ts';
import { say } from '../words/say.ts';

export type SplitName =
  | { firstname: string; lastname: string; remark?: string; isGuess?: boolean }
  | { reason: string };

const dashes = /^[-\u2013\u2014|\u2022\u00b7]+$/;

/** A whole name without the remark behind it, and that remark: `- Sales`, `| HR`, `(EXT)`, `, PhD`. */
export function withoutRemark(name: string): { name: string; remark?: string } {
  if (!/[-\u2013\u2014|\u2022\u00b7)\],]/.test(name)) return { name };
  const words = name.split(/\s+/);
  const dash = words.findIndex((word) => dashes.test(word));
  if (dash > 0) return { name: words.slice(0, dash).join(' '), remark: words.slice(dash + 1).join(' ') };
  const open = /[)\]]$/.test(name) ? Math.max(name.lastIndexOf('('), name.lastIndexOf('[')) : 0;
  if (open > 0) return { name: name.slice(0, open).trim(), remark: name.slice(open + 1, -1) };
  const comma = name.lastIndexOf(',');
  const suffix = name.slice(comma + 1).trim();
  return comma > 0 && suffixes().has(plain(suffix)) ? { name: name.slice(0, comma), remark: suffix } : { name };
}

/** A last name of a directory in the order that people write: `Leeuwen, van` is `van Leeuwen`. */
export function inSpokenOrder(lastname: string): string {
  const [last = '', prefix = '', ...more] = lastname.split(',').map((part) => part.trim());
  const words = prefix.split(/\s+/);
  return more.length === 0 && words.every((word) => prefixes().has(plain(word))) ? `${prefix} ${last}` : lastname;
}

const capitals = /^\p{Lu}[\p{Lu}\p{M}'’-]+$/u;

/** A whole name whose last name is in capitals, before or behind the first: `LE GOFF Yann`, `Yann LE GOFF` as `LE GOFF, Yann`. */
export function withComma(name: string): string {
  const words = name.split(/\s+/);
  const loud = words.filter((word) => capitals.test(word) && !suffixes().has(plain(word)));
  const at = words.indexOf(loud[0] ?? '');
  const others = words.toSpliced(at, loud.length);
  const isApart = at === 0 || (at === others.length && !prefixes().has(plain(words[at - 1])));
  const isWhole = loud.join(' ') === words.slice(at, at + loud.length).join(' ');
  if (!isApart || !isWhole || !loud.some((word) => word.length > 2) || !others.some((word) => /\p{Ll}/u.test(word)))
    return name;
  return `${loud.join(' ')}, ${others.join(' ')}`;
}

/** Whether it is a guess where a whole name was split: several of its words may belong to either side. */
export const isGuessed = ({ firstname }: { firstname: string }): boolean =>
  firstname.split(/\s+/).filter((word) => !initial.test(word)).length > 1;

export const isTitle = (word: string): boolean => titles().has(plain(word));

/** Whether a first name begins with a title: `Dr. Maria`. */
export const hasTitle = (name: string): boolean => /^\S+[. ]/.test(name) && isTitle(name.split(' ', 1)[0] ?? '');

/** Words that belong to the last name behind them wherever they stand but in front: `Ludwig van Beethoven`. */
const prefixes = wordSet('namePrefixes', plain);
/** Words behind the last name that belong to it: `John Smith Jr.` */
const suffixes = wordSet('nameSuffixes', plain);
/** Words before the name; where that begins with the last name, they stay with it. */
const titles = wordSet('nameTitles', plain);
/** One letter, with or without a dot. */
const initial = /^\p{L}\p{M}*\.?$/u;

/** What stands in between belongs to the first name; a middle initial is left out where the form has one. */
export function splitName(name: string, form: NameForm, isJapanese = false): SplitName {
  const ideographs = splitIdeographs(name, isJapanese);
  if (ideographs) return ideographs;
  if (form === 'Last First') return atFirstWord(name.split(/\s+/));
  const hasInitial = form === 'Last, First M' || form === 'First M Last';
  const parts = form.startsWith('Last') ? atComma(name) : atLastWord(name.split(/\s+/));
  if ('reason' in parts) return parts;
  const words = parts.firstname.split(/\s+/);
  while (hasInitial && words.length > 1 && initial.test(words.at(-1) ?? '')) words.pop();
  return { firstname: words.join(' '), lastname: parts.lastname };
}

const ideographs = /^(?:\p{Script=Han}{2,4}|\p{Script=Hangul}{2,4})$/u;
const longSurnames = listOf('surnames-of-two');

/**
 * A name in one word of Chinese or Korean behind its surname, of one sign unless it is a known one of two; of Japanese, whose
 * surnames have one to three, only in the middle of four. Undefined for any other.
 */
function splitIdeographs(name: string, isJapanese: boolean): SplitName | undefined {
  if (!ideographs.test(name) || (isJapanese && name.length !== 4)) return undefined;
  const isLong = isJapanese || (name.length > 2 && longSurnames().has(name.slice(0, 2)));
  return { firstname: name.slice(isLong ? 2 : 1), lastname: name.slice(0, isLong ? 2 : 1) };
}

function atComma(name: string): SplitName {
  const [lastname = '', firstname = '', ...more] = name.split(',').map((part) => part.trim());
  if (more.length > 0) return { reason: say('severalCommas', 1, { name: quote(name) }) };
  if (firstname === '' || lastname === '') return { reason: say('notLastFirst', 1, { name: quote(name) }) };
  return { firstname, lastname };
}

function atFirstWord(words: string[]): SplitName {
  let at = 0;
  while (at < words.length - 2 && (prefixes().has(plain(words[at])) || titles().has(plain(words[at])))) at += 1;
  const [lastname, firstname] = [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')];
  if (lastname.endsWith(',')) return { reason: say('nameWithComma', 1, { name: quote(words.join(' ')) }) };
  if (firstname === '') return { reason: say('onlyLastName', 1, { name: quote(lastname) }) };
  return { firstname, lastname };
}

function atLastWord(words: string[]): SplitName {
  if (words.some((word) => word.endsWith(',')))
    return { reason: say('nameWithComma', 1, { name: quote(words.join(' ')) }) };
  if (words.length < 2) return { reason: say('onlyFirstName', 1, { name: quote(words.join(' ')) }) };
  let at = words.length - 1;
  while (at > 1 && suffixes().has(plain(words[at]))) at -= 1;
  while (at > 1 && prefixes().has(plain(words[at - 1]))) at -= 1;
  return { firstname: words.slice(0, at).join(' '), lastname: words.slice(at).join(' ') };
}

/** A word without case and dots: `PhD`, `Ph.D.` */
function plain(word = ''): string {
  return word.toLowerCase().replaceAll('.', '');
}
