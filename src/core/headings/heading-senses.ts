// Looks up what a heading can mean in all languages, ignoring case, accents and signs.
import type { Headings, Meaning } from './headings.ts';
import { languages } from './languages.ts';

/** What a heading means in some languages. */
export interface Sense {
  meaning: Meaning;
  /** Of two columns of one meaning the lower rank is taken: 0 is what the word says first. */
  rank: number;
  languages: ReadonlySet<string>;
  /** It means this only if a column of the other name is next to it, in one of these languages. */
  isBeside: boolean;
  /** It may be something else: to be offered, not taken. */
  isUnsure: boolean;
}

const ranked: [key: keyof Headings, meaning: Meaning, rank: number][] = [
  ...(
    [
      ...['firstname', 'lastname', 'fullname', 'lastnamePrefix', 'email', 'login', 'telephone', 'employeeId'],
      ...['startDate', 'endDate', 'status', 'gone', 'group', 'department', 'team', 'unit', 'site', 'class'],
      ...['position', 'employer'],
    ] as Meaning[]
  ).map((meaning): [Meaning, Meaning, number] => [meaning, meaning, 0]),
  ['callname', 'firstname', 1],
  ['firstnameBeside', 'firstname', 2],
  ['lastnameBeside', 'lastname', 2],
  ['workPhone', 'telephone', 1],
  ['mobile', 'telephone', 2],
];

/** Signs of Latin letters that no decomposition takes off. */
const letters: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
};

/** How German and Nordic letters are written where there are none. */
const spelt: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

/**
 * What all spellings of a heading have in common: without case, accents, spaces and signs, full-width and half-width
 * characters alike; a `#` at the end is a number.
 */
export function headingKey(name: string): string {
  return name
    .replace(/#\s*$/, ' no')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]+|ـ/gu, '')
    .replace(/[øłđðþßæœıħ]/g, (letter) => letters[letter] ?? letter);
}

/** A list of words as `Headings` has it. */
export function wordsOf(words = ''): string[] {
  return words
    .split(',')
    .map((word) => word.trim().replace(/\s+/g, ' '))
    .filter((word) => word !== '');
}

function keysOfWord(word: string): string[] {
  const lower = word.toLowerCase();
  const other = lower.replace(/[äöüåø]/g, (letter) => spelt[letter] ?? letter);
  return other === lower ? [headingKey(word)] : [headingKey(word), headingKey(other)];
}

let compiled: ReadonlyMap<string, Sense[]> | undefined;

/** What a heading with this key can mean; made of all languages once, when it is first asked for. */
export function sensesOf(key: string): readonly Sense[] {
  compiled ??= compile();
  return compiled.get(key) ?? [];
}

function compile(): Map<string, Sense[]> {
  const senses = new Map<string, (Sense & { languages: Set<string> })[]>();
  const add = (words: string | undefined, language: string, sense: Omit<Sense, 'languages'>): void => {
    for (const key of wordsOf(words).flatMap(keysOfWord)) {
      const known = senses.get(key) ?? [];
      if (known.length === 0) senses.set(key, known);
      const { meaning, rank, isBeside, isUnsure } = sense;
      const same = known.find(
        (each) => each.meaning === meaning && each.isBeside === isBeside && each.isUnsure === isUnsure,
      );
      if (!same) known.push({ ...sense, languages: new Set([language]) });
      else {
        same.languages.add(language);
        same.rank = Math.min(same.rank, rank);
      }
    }
  };
  for (const [language, headings] of Object.entries(languages)) {
    for (const [key, meaning, rank] of ranked)
      add(headings[key] as string | undefined, language, {
        meaning,
        rank,
        isBeside: key.endsWith('Beside'),
        isUnsure: false,
      });
    for (const [meaning, words] of Object.entries(headings.unsure ?? {}) as [Meaning, string][])
      add(words, language, { meaning, rank: 0, isBeside: false, isUnsure: true });
  }
  for (const [key, known] of senses) {
    const sure = new Set(
      known.filter(({ isUnsure, isBeside }) => !isUnsure && !isBeside).map(({ meaning }) => meaning),
    );
    const isUnsure = sure.size > 1 || known.some((sense) => sense.isUnsure);
    if (isUnsure)
      senses.set(
        key,
        known.map((sense) => (sense.isBeside ? sense : { ...sense, isUnsure })),
      );
  }
  return senses;
}
