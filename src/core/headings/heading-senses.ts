// Looks up what a heading can mean in all languages, ignoring case, accents and signs.
import type { Meaning } from './headings.ts';
import table from './table.json' with { type: 'json' };

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

/** What each key means, as the table has it. */
let packed: ReadonlyMap<string, string> | undefined;
const read = new Map<string, readonly Sense[]>();

/** What a heading with this key can mean in any language. */
export function sensesOf(key: string): readonly Sense[] {
  packed ??= new Map(
    Object.entries(table.senses).flatMap(([senses, keys]) => keys.split(' ').map((each) => [each, senses] as const)),
  );
  const senses = packed.get(key);
  if (senses === undefined) return [];
  const known = read.get(senses);
  if (known) return known;
  const made = senses.split('|').map(readSense);
  read.set(senses, made);
  return made;
}

/** `firstname 2 beside de.nl` */
function readSense(text: string): Sense {
  const [meaning = '', rank = '', how, languages = ''] = text.split(' ');
  return {
    meaning: meaning as Meaning,
    rank: Number(rank),
    languages: new Set(languages.split('.')),
    isBeside: how === 'beside',
    isUnsure: how === 'unsure',
  };
}
