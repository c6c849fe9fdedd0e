// Reads a word in an encoding, and rates how unusual that is in each language.
import { dataOf } from '../../../data/data.ts';
import type { LetterPairs } from '../../../data/schemas.ts';

interface Language {
  /** The place of each letter in the square. */
  places: ReadonlyMap<string, number>;
  /** What each pair costs, in nats. */
  square: Float32Array;
}

const letterPairs = dataOf<LetterPairs>('letter-pairs')()['names'] ?? {};

const languages: readonly Language[] = Object.values(letterPairs).map(({ letters, square }) => ({
  places: new Map([...letters].map((letter, at) => [letter, at])),
  square: Float32Array.from(square, (digit) => Number.parseInt(digit, 36) / 2),
}));

export const languageNames = Object.keys(letterPairs);

export interface ReadWord {
  text: string;
  length: number;
  /** It has letters outside ASCII. */
  isForeign: boolean;
  /** It has a word of at least three letters, and no Latin ones. */
  isOtherScript: boolean;
  /** By language: what its letters cost, in nats. */
  costs: readonly number[];
  /** What they cost in any language: signs inside of it, capitals after small letters. */
  extra: number;
}

/** What costs a letter that a language does not have, and what follows on it. */
const foreignLetter = 12;
const afterForeignLetter = 4.5;
/** What a sign costs by where it stands: between two letters, before one, behind one, and away from letters. */
const signs: readonly { those: RegExp; between: number; before: number; behind: number; alone: number }[] = [
  { those: /’/u, between: 2, before: 14, behind: 5, alone: 3 },
  { those: /\u00a0/u, between: 8, before: 4, behind: 4, alone: 3 },
  { those: /[²³¹½¼¾µ]/u, between: 14, before: 14, behind: 4, alone: 3 },
  { those: /[–—·´]/u, between: 4, before: 6, behind: 6, alone: 3 },
  { those: /[‘“„«‚‹]/u, between: 14, before: 6, behind: 11, alone: 4 },
  { those: /[”»›]/u, between: 14, before: 11, behind: 6, alone: 4 },
  { those: /[…®™]/u, between: 14, before: 10, behind: 7, alone: 4 },
  { those: /[€£§©°ºª]/u, between: 14, before: 10, behind: 8, alone: 4 },
  { those: /[•†№¿¡]/u, between: 18, before: 8, behind: 18, alone: 5 },
  { those: /./su, between: 18, before: 18, behind: 18, alone: 12 },
];
const costOfControl = 20;
const costOfCapital = 6;
/** A letter that stands alone, where a dash would. */
const costOfLoneLetter = 6;
/** Letters of two scripts in one word. */
const costOfMixture = 12;

/** Reads a word of bytes (a Latin-1 text) by the table of an encoding. */
export function readWord(word: string, table: readonly string[]): ReadWord {
  let text = '';
  for (let at = 0; at < word.length; at++) text += table[word.charCodeAt(at)]!;
  const composed = text.normalize('NFC');
  const segments: string[][] = [];
  let extra = 0;
  const parts = composed.match(/(?:(?![ºª])[\p{L}\p{M}])+|[^\p{L}\p{M}]|[ºª]/gu) ?? [];
  for (const [at, part] of parts.entries()) {
    if (isLetters(part)) {
      segments.push([...fold(part)]);
      extra += costOfCase(part) + costOfScripts(part) + (/^[^A-Za-z]$/u.test(composed) ? costOfLoneLetter : 0);
    } else extra += costOfSign(part, isLetters(parts[at - 1]), isLetters(parts[at + 1]));
  }
  return {
    text,
    isForeign: isForeign(segments.flat()),
    isOtherScript: segments.some((segment) => segment.length >= 3 && !/\p{Script=Latin}/u.test(segment.join(''))),
    length: segments.reduce((total, segment) => total + segment.length, 0),
    costs: languages.map((language) => segments.reduce((total, segment) => total + costOf(segment, language), 0)),
    extra,
  };
}

function isLetters(part = ''): boolean {
  return /^(?![ºª])[\p{L}\p{M}]/u.test(part);
}

function costOfSign(sign: string, isBehind: boolean, isBefore: boolean): number {
  if (/\p{Cc}/u.test(sign)) return costOfControl;
  const { between, before, behind, alone } = signs.find(({ those }) => those.test(sign))!;
  if (isBehind) return isBefore ? between : behind;
  return isBefore ? before : alone;
}

function costOfScripts(text: string): number {
  const all =
    /[\p{Script=Latin}]+|[\p{Script=Cyrillic}]+|[\p{Script=Greek}]+|[\p{Script=Hebrew}]+|[\p{Script=Arabic}]+|[\p{Script=Thai}]+/gu;
  return Math.max(0, (text.match(all)?.length ?? 0) - 1) * costOfMixture;
}

function isForeign(letters: Iterable<string>): boolean {
  for (const letter of letters) if (letter > '~') return true;
  return false;
}

/** What capitals cost that no name has: `MÅller`, `иБТПО`, `MüLLER`. */
function costOfCase(text: string): number {
  const odd = [...text.matchAll(/\p{Ll}\p{M}*\p{Lu}|\p{Lu}\p{Lu}(?!ß)\p{Ll}/gu)].filter(([found]) => isForeign(found));
  return odd.length * costOfCapital;
}

function costOf(letters: readonly string[], { places, square }: Language): number {
  let before = 0;
  let cost = 0;
  for (const letter of [...letters, ' ']) {
    const place = places.get(letter) ?? -1;
    if (place === -1) cost += foreignLetter;
    else if (before === -1) cost += afterForeignLetter;
    else cost += square[before * places.size + place]!;
    before = place;
  }
  return cost;
}

/** Composed, in small letters, Romanian's comma below as the cedilla that Windows-1250 has in its place. */
export function fold(word: string): string {
  return word.normalize('NFC').replaceAll('İ', 'i').toLowerCase().replaceAll('ș', 'ş').replaceAll('ț', 'ţ');
}
