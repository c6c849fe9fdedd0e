// The words of all languages as one table, for `src/core/headings/table.json`.
import { headingKey, type Sense } from '../src/core/headings/heading-senses.ts';
import type { Headings, Meaning } from '../src/core/headings/headings.ts';
import { languages } from '../src/core/headings/languages.ts';
import { statusKey } from '../src/core/cells/status-words.ts';

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

/** How German and Nordic letters are written where there are none. */
const spelt: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

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

/** `firstname 2 beside de.nl`: `readSense` reads it. */
function packed({ meaning, rank, languages, isBeside, isUnsure }: Sense): string {
  const how = isBeside ? 'beside' : isUnsure ? 'unsure' : 'sure';
  return `${meaning} ${rank} ${how} ${[...languages].join('.')}`;
}

function keysOf(words: 'work' | 'notOurs' | 'email'): string {
  return [...new Set(Object.values(languages).flatMap((each) => wordsOf(each[words]).map(headingKey)))].join(' ');
}

function statuses(): Record<string, string> {
  const found = new Map<string, string>();
  for (const { statuses = {} } of Object.values(languages)) {
    for (const [kind, words] of Object.entries(statuses))
      for (const word of wordsOf(words)) found.set(statusKey(word), kind);
  }
  return Object.fromEntries(
    Object.entries(Object.groupBy(found.keys(), (word) => found.get(word) ?? '')).map(([kind, words = []]) => [
      kind,
      words.join(','),
    ]),
  );
}

function flagWords(key: 'yes' | 'no'): string {
  // The capital of the Turkish `ı` is a plain `I`.
  const words = Object.values(languages).flatMap((each) =>
    wordsOf(each[key]).flatMap((word) => [word, word.replaceAll('ı', 'i')]),
  );
  return [...new Set(words)].join(',');
}

/**
 * The words of all languages, without case, accents and signs, as `src/core/headings/table.json` has them: to fold thousands
 * of words takes longer than to read many a roster.
 */
export function headingTable(): string {
  const senses: Record<string, string> = {};
  for (const [key, known] of compile()) {
    const name = known.map(packed).join('|');
    senses[name] = name in senses ? `${senses[name]} ${key}` : key;
  }
  const table = {
    senses,
    work: keysOf('work'),
    notOurs: keysOf('notOurs'),
    email: keysOf('email'),
    statuses: statuses(),
    yes: flagWords('yes'),
    no: flagWords('no'),
  };
  return `${JSON.stringify(table, null, 2)}\n`;
}
