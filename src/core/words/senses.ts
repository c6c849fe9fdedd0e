// What headings mean in all languages, as text that is quickly read.
import type { Language, Meaning } from '../../data/schemas/language.ts';
import { headingKey } from './keys.ts';

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

type Heading = Exclude<keyof Language, 'unsure' | 'statuses'>;

const ranked: [key: Heading, meaning: Meaning, rank: number][] = [
  ...(
    [
      ...([
        'firstname',
        'lastname',
        'fullname',
        'lastnamePrefix',
        'email',
        'login',
        'telephone',
        'employeeId',
      ] as const),
      ...(['startDate', 'endDate', 'status', 'gone', 'group', 'department', 'team', 'unit', 'site', 'class'] as const),
      ...(['position', 'employer'] as const),
    ] satisfies Meaning[]
  ).map((meaning): [Heading, Meaning, number] => [meaning, meaning, 0]),
  ['personId', 'employeeId', 1],
  ['mailAliases', 'email', 1],
  ['callname', 'firstname', 1],
  ['firstnameBeside', 'firstname', 2],
  ['lastnameBeside', 'lastname', 2],
  ['workPhone', 'telephone', 1],
  ['mobile', 'telephone', 2],
];

/** How German and Nordic letters are written where there are none. */
const spelt: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

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

function gather(files: Readonly<Record<string, Language>>): Map<string, Sense[]> {
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
  for (const [language, headings] of Object.entries(files)) {
    for (const [key, meaning, rank] of ranked)
      add(headings[key], language, { meaning, rank, isBeside: key.endsWith('Beside'), isUnsure: false });
    for (const [meaning, words] of Object.entries(headings.unsure ?? {}) as [Meaning, string][])
      add(words, language, { meaning, rank: 0, isBeside: false, isUnsure: true });
  }
  for (const [key, known] of senses) {
    const sure = new Set(
      known.filter(({ isUnsure, isBeside }) => !isUnsure && !isBeside).map(({ meaning }) => meaning),
    );
    if (sure.size > 1 || known.some((sense) => sense.isUnsure))
      senses.set(
        key,
        known.map((sense) => (sense.isBeside ? sense : { ...sense, isUnsure: true })),
      );
  }
  return senses;
}

/** Keys with spaces between them, under what they mean: `firstname 2 beside de.nl|lastname 0 sure fr`. */
export function packSenses(files: Readonly<Record<string, Language>>): Record<string, string> {
  const packed: Record<string, string> = {};
  for (const [key, senses] of gather(files)) {
    const name = senses
      .map(({ meaning, rank, languages, isBeside, isUnsure }) => {
        const how = isBeside ? 'beside' : isUnsure ? 'unsure' : 'sure';
        return `${meaning} ${rank} ${how} ${[...languages].join('.')}`;
      })
      .join('|');
    packed[name] = name in packed ? `${packed[name]} ${key}` : key;
  }
  return packed;
}

/** `firstname 2 beside de.nl` */
export function readSense(text: string): Sense {
  const [meaning = '', rank = '', how, languages = ''] = text.split(' ');
  return {
    meaning: meaning as Meaning,
    rank: Number(rank),
    languages: new Set(languages.split('.')),
    isBeside: how === 'beside',
    isUnsure: how === 'unsure',
  };
}
