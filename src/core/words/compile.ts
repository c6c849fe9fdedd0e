// Gathers the words of all languages: to fold thousands of them takes longer than to read many a roster.
import type { Language } from '../../data/schemas/language.ts';
import { headingKey, statusKey } from './keys.ts';
import { packSenses, wordsOf } from './senses.ts';

/** What a word of a status column says about a person. Leave is not termination. */
export type StatusKind = keyof Language['statuses'];

/** Lists that are those of every language, in lower case. */
const lists = [
  ...(['yes', 'no', 'noEnd', 'noValue', 'noValueOrName', 'noValueInBrackets', 'excelErrors', 'mailboxes'] as const),
  ...([
    'nobody',
    'surelyNobody',
    'namePrefixes',
    'nameSuffixes',
    'nameTitles',
    'people',
    'notGone',
    'removals',
    'extensions',
  ] as const),
];
const headings = [
  ...(['work', 'notOurs', 'persons', 'email', 'lastNameFirst'] as const),
  ...(['actions', 'starts', 'ends', 'ofWork'] as const),
];

export type WordList = (typeof lists)[number] | (typeof headings)[number];

export interface Words extends Record<WordList, string[]> {
  languages: string[];
  /** What headings mean: `packSenses` writes it, `readSense` reads it. */
  senses: Record<string, string>;
  /** By `statusKey`. */
  statuses: Record<string, StatusKind>;
}

export function compileWords(files: Readonly<Record<string, Language>>): Words {
  const all = Object.values(files);
  const gather = (key: WordList, fold: (word: string) => string[]): [WordList, string[]] => [
    key,
    [...new Set(all.flatMap((each) => wordsOf(each[key]).flatMap(fold)))],
  ];
  return {
    languages: Object.keys(files),
    senses: packSenses(files),
    statuses: Object.fromEntries(
      all.flatMap(({ statuses }) =>
        Object.entries(statuses).flatMap(([kind, words]) =>
          wordsOf(words).map((word) => [statusKey(word), kind as StatusKind]),
        ),
      ),
    ),
    ...(Object.fromEntries([
      ...lists.map((key) => gather(key, lowerCase)),
      ...headings.map((key) => gather(key, (word) => [headingKey(word)])),
    ]) as Record<WordList, string[]>),
  };
}

/** The capital of the Turkish `ı` is a plain `I`. */
function lowerCase(word: string): string[] {
  const lower = word.normalize('NFC').toLowerCase();
  return [lower, lower.replaceAll('ı', 'i')];
}
