// The words of all languages: what spellings have in common, what headings mean, and lists of words.
import { dataOf } from '../../data/data.ts';
import type { Language, Meaning, List } from '../../data/schemas.ts';
import { foldText } from '../text/wildcard.ts';

/** What a word of a status column says about a person. Leave is not termination. */
export type StatusKind = keyof Language['statuses'];

/** Lists of headings; all other lists are kept in lower case. */
const headings: readonly WordList[] = [
  ...(['work', 'notOurs', 'persons', 'email', 'lastNameFirst'] as const),
  ...(['actions', 'starts', 'ends', 'ofWork'] as const),
];

type WordList = Exclude<keyof Language, 'unsure' | 'statuses'>;

interface Words extends Record<WordList, string[]> {
  languages: string[];
  /** What headings mean, with the keys of those that mean just that, and spaces between them. */
  senses: { senses: readonly Sense[]; keys: string }[];
  /** By `statusKey`. */
  statuses: Record<string, StatusKind>;
}

function compileWords(files: Readonly<Record<string, Language>>): Words {
  const all = Object.values(files);
  const keys = new Set(all.flatMap((each) => Object.keys(each)));
  // What headings mean is in `senses`.
  const lists = [...keys].filter((key): key is WordList => !/^(?:unsure|statuses)$/.test(key) && !meansField(key));
  const gather = (key: WordList): [WordList, string[]] => {
    const fold = headings.includes(key) ? (word: string) => [headingKey(word)] : lowerCase;
    return [key, [...new Set(all.flatMap((each) => wordsOf(each[key]).flatMap(fold)))]];
  };
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
    ...(Object.fromEntries([...new Set([...lists, ...headings])].map(gather)) as Record<WordList, string[]>),
  };
}

/** The capital of the Turkish `ı` is a plain `I`. */
function lowerCase(word: string): string[] {
  const lower = word.normalize('NFC').toLowerCase();
  return [lower, lower.replaceAll('ı', 'i')];
}

export const words = dataOf<Language, Words>('languages', { by: compileWords, code: [import.meta.filename] });

/** A list of all languages as a set, each word as `fold` makes it. */
export function wordSet(list: WordList, fold = (word: string): string => word): () => ReadonlySet<string> {
  let known: ReadonlySet<string> | undefined;
  return () => (known ??= new Set(words()[list].map(fold)));
}

const files = dataOf<List>('lists');

/** The words of `src/data/lists/<name>.yaml`, read when it is first asked for. */
export function listOf(
  name:
    | ('common-secrets' | 'dead-ends' | 'free-mail' | 'group-kinds' | 'ldap-attributes' | 'mistyped-domains')
    | ('parts-of-years' | 'record-lists' | 'rehire-days' | 'short-months' | 'surnames-of-two')
    | `more-${'next' | 'flags' | 'ends' | 'totals' | 'pages' | 'links' | 'envelopes'}`,
): () => ReadonlySet<string> {
  let words: ReadonlySet<string> | undefined;
  return () => (words ??= new Set(wordsOf(files()[name]?.words)));
}

export interface Sense {
  meaning: Meaning;
  /** Of two columns of one meaning the lower rank is taken: 0 is what the word says first. */
  rank: number;
  languages: readonly string[];
  /** It means this only if a column of the other name is next to it, in one of these languages. */
  isBeside: boolean;
  /** It may be something else: to be offered, not taken. */
  isUnsure: boolean;
}

const ranked: [key: WordList, meaning: Meaning, rank: number][] = [
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
  ).map((meaning): [WordList, Meaning, number] => [meaning, meaning, 0]),
  ['personId', 'employeeId', 1],
  ['mailAliases', 'email', 1],
  ['callname', 'firstname', 1],
  ['firstnameBeside', 'firstname', 2],
  ['lastnameBeside', 'lastname', 2],
  ['workPhone', 'telephone', 1],
  ['mobile', 'telephone', 2],
];

const meansField = (heading: string): boolean => ranked.some(([key]) => key === heading);

/** How German and Nordic letters are written where there are none. */
const spelt: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

export function wordsOf(words = ''): string[] {
  return words.split(',').flatMap((word) => word.trim().replace(/\s+/g, ' ') || []);
}

function keysOfWord(word: string): string[] {
  const lower = word.toLowerCase();
  const other = lower.replace(/[äöüåø]/g, (letter) => spelt[letter] ?? letter);
  return other === lower ? [headingKey(word)] : [headingKey(word), headingKey(other)];
}

function gather(files: Readonly<Record<string, Language>>): Map<string, Sense[]> {
  const senses = new Map<string, (Sense & { languages: string[] })[]>();
  const add = (words: string | undefined, language: string, sense: Omit<Sense, 'languages'>): void => {
    for (const key of wordsOf(words).flatMap(keysOfWord)) {
      const known = senses.get(key) ?? [];
      if (known.length === 0) senses.set(key, known);
      const { meaning, rank, isBeside, isUnsure } = sense;
      const same = known.find(
        (each) => each.meaning === meaning && each.isBeside === isBeside && each.isUnsure === isUnsure,
      );
      if (!same) known.push({ ...sense, languages: [language] });
      else {
        if (!same.languages.includes(language)) same.languages.push(language);
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

function packSenses(files: Readonly<Record<string, Language>>): Words['senses'] {
  const alike = Map.groupBy(gather(files), ([, senses]) => JSON.stringify(senses));
  return [...alike.values()].map((entries) => ({
    senses: entries[0]?.[1] ?? [],
    keys: entries.map(([key]) => key).join(' '),
  }));
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

/** Without case, accents, spaces and signs, full-width and half-width alike; a `#` at the end is a number. */
export function headingKey(name: string): string {
  const spoken = name.replace(/#\s*$/, ' no');
  // Most headings, and the rest takes ten times as long.
  if (/^[ -~]*$/.test(spoken)) return spoken.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return spoken
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]+|ـ/gu, '')
    .replace(/[øłđðþßæœıħ]/g, (letter) => letters[letter] ?? letter);
}

export function statusKey(text: string): string {
  // The dot that a small letter keeps of a Turkish capital.
  return foldText(text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')).replaceAll('i\u0307', 'i');
}
