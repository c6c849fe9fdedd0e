// Judges a file's encoding by its non-ASCII words, and names rivals it cannot rule out.
import { dataOf } from '../../../data/data.ts';
import type { Encodings } from '../../../data/schemas.ts';
import { decodeTable, type SingleByte } from '../encoding.ts';
import type { ForeignWords } from './evidence.ts';
import { fold, languageNames, readWord, type ReadWord } from './read-word.ts';
import { EncodingQuestion } from '../../../core/errors.ts';
import { escapeText } from '../../../core/text/format.ts';

/** Languages of the letter pairs that are written in encodings of a part of Europe. */
const homes = {
  west: 'de fr es pt it nl da sv fi is sq',
  centre: 'pl cs sk hu hr ro sq de',
  baltic: 'lt lv fi de',
  turkey: 'tr de',
} as const;

type Candidate = Encodings[string] & { encoding: SingleByte };

const candidates = Object.entries(dataOf<Encodings>('encodings')()['single-byte'] ?? {}).map(
  ([encoding, found]): Candidate => ({ ...found, encoding: encoding as SingleByte }),
);

/** What a file costs that has no word in the script of its encoding, in nats. */
const costOfNoScript = 10;
/** What a file costs whose words are all of languages that are at home elsewhere, in nats. */
const costOfAbroad = 4;

interface EncodingReading {
  encoding: SingleByte;
  /** Words of the file, those first that stand there most often. */
  examples: readonly string[];
}

/** How a file is most likely encoded. `rivals` are other readings that cannot be ruled out, the likeliest first. */
interface Verdict extends EncodingReading {
  rivals: readonly EncodingReading[];
  /** No reading gives words as people's names have them. */
  isStrange: boolean;
}

/** The nats by which a reading must be likelier than the next: e^9 is about 8,000 times. */
const leastLead = 9;
/** And the nats for each word that they read differently: many weak signs are no strong one. */
const leastLeadOfWord = 1;
/** And the nats if only characters outside words differ, such as a dash. */
const leastLeadOfSigns = 4;
/** What a letter of a word costs, in nats, where it is no word of any language known here. */
const strangeLetter = 5.2;
const strangeSign = 14;
const mostStrange = 0.1;
const mostExamples = 3;
const mostRivals = 3;

/** The number of words that show which encodings need not be tried on the others. */
const firstWords = 150;
/** An encoding is dropped if its reading of the first words is worse than the best by this number of nats. */
const hopeless = 60;

/** Undefined where no encoding that is known here has all of its bytes. */
export function judgeEncoding({ words, bytes }: ForeignWords): Verdict | undefined {
  const texts = [...words].toSorted((a, b) => b[1] - a[1]).map(([word]) => word);
  const first = distinct(bytes).map((candidate) => readAll(candidate, texts.slice(0, firstWords)));
  const least = Math.min(...first.map(({ total }) => total));
  const promising = first.filter(({ total }) => total - least < hopeless);
  const readings = texts.length > firstWords ? promising.map(({ candidate }) => readAll(candidate, texts)) : promising;
  const [best, ...others] = readings.toSorted((a, b) => a.total - b.total);
  if (!best) return undefined;
  const rivals = others.filter((other) => !isRuledOut(other, best));
  const strange = best.read.filter((word, at) => isStrange(word, best.scores[at]!)).length;
  const against = rivals.length > 0 ? rivals : first.filter(({ candidate }) => candidate !== best.candidate);
  return {
    encoding: best.candidate.encoding,
    examples: examplesOf(best, against),
    rivals: rivals.slice(0, mostRivals).map((rival) => ({
      encoding: rival.candidate.encoding,
      examples: examplesOf(rival, [best]),
    })),
    isStrange: strange > mostStrange * best.read.length,
  };
}

/** Whether a word is no word of any language: a sign inside of it, or letters that follow on each other nowhere. */
function isStrange({ extra, isForeign, length }: ReadWord, cost: number): boolean {
  return extra >= strangeSign || (isForeign && length > 1 && cost > strangeLetter * (length + 1));
}

/** Whether the best reading is enough likelier than another that nobody needs to be asked. */
function isRuledOut(other: Reading, best: Reading): boolean {
  let lead = other.rarity - best.rarity;
  let differing = 0;
  let isOfLetters = false;
  for (const [at, { text, isForeign }] of other.read.entries()) {
    const ours = best.read[at]!;
    if (isAlike(text, ours.text)) continue;
    differing++;
    isOfLetters ||= isForeign || ours.isForeign;
    lead += other.scores[at]! - best.scores[at]!;
  }
  const least = isOfLetters ? Math.max(leastLead, leastLeadOfWord * differing) : leastLeadOfSigns;
  return differing === 0 || lead >= least;
}

/** Romanian is written with a cedilla or a comma below, and both are read the same. */
function isAlike(one: string, other: string): boolean {
  return one === other || (/[şţșț]/iu.test(one) && fold(one) === fold(other));
}

function readAll(candidate: Candidate, words: readonly string[]): Reading {
  const { encoding, home } = candidate;
  const table = decodeTable(encoding);
  const read = words.map((word) => readWord(word, table));
  const { scores, shares } = score(read);
  const hasScript = home !== undefined || read.some(({ isOtherScript }) => isOtherScript);
  const abroad = home ? sum(shares.filter((_, at) => !isAtHome(languageNames[at]!, home))) : 0;
  const rarity = candidate.rarity + costOfAbroad * abroad + (hasScript ? 0 : costOfNoScript);
  return { candidate, rarity, read, scores, total: sum(scores) + rarity };
}

interface Reading {
  candidate: Candidate;
  /** How rare its encoding is, and for the languages that it shows. */
  rarity: number;
  /** Of the whole, in nats. */
  total: number;
  read: readonly ReadWord[];
  scores: readonly number[];
}

/** The words that other readings read differently, those first that most of them do. */
function examplesOf(reading: Reading, others: readonly Reading[]): string[] {
  const differing = reading.read.map(({ text }, at) => ({
    text,
    count: others.filter(({ read }) => read[at]?.text !== text).length,
  }));
  return differing
    .filter(({ text, count }) => count > 0 && /\p{L}{2}/u.test(text))
    .slice(0, 200)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostExamples)
    .map(({ text }) => text);
}

/** One encoding, the most usual, of those that read all bytes of the file alike; none without one of them. */
function distinct(bytes: readonly number[]): readonly Candidate[] {
  const bySignature = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const table = decodeTable(candidate.encoding);
    const signature = bytes.map((byte) => table[byte]).join('');
    if (signature.includes('\ufffd')) continue;
    const known = bySignature.get(signature);
    if (!known || known.rarity > candidate.rarity) bySignature.set(signature, candidate);
  }
  return [...bySignature.values()];
}

const rounds = 4;
/** What every language has at first, so that a single foreign name is not impossible. */
const floorOfLanguage = 0.02;

/** In nats; the shares are found by expectation maximisation over a mixture of languages. */
function score(words: readonly ReadWord[]): { scores: number[]; shares: number[] } {
  let shares = Array.from({ length: languageNames.length }, () => 1 / languageNames.length);
  let scores: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const gathered = Array.from({ length: languageNames.length }, () => floorOfLanguage);
    scores = words.map(({ costs, extra }) => {
      const least = Math.min(...costs);
      const parts = costs.map((cost, at) => shares[at]! * Math.exp(least - cost));
      const whole = sum(parts);
      for (const [at, part] of parts.entries()) gathered[at]! += part / whole;
      return extra + least - Math.log(whole);
    });
    const all = sum(gathered);
    shares = gathered.map((share) => share / all);
  }
  return { scores, shares };
}

function isAtHome(language: string, home: keyof typeof homes): boolean {
  return homes[home].split(' ').includes(language);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Throws an `EncodingQuestion` where a person must say which of several readings is right. */
export function settleEncoding(
  file: string,
  verdict: Verdict | undefined,
): { encoding: SingleByte; examples: readonly string[] } | { problem: string } {
  if (!verdict || verdict.isStrange) {
    const seen = verdict ? ` (the nearest is ${verdict.encoding})` : '';
    const problem = `it is not UTF-8, and no encoding that is known here gives words like those of names${seen}.`;
    const such = 'such as shift_jis, gb18030, big5 or euc-kr';
    return {
      problem: `${problem} Export it again as CSV UTF-8, or say its encoding (read.encoding), ${such}.`,
    };
  }
  const { encoding, examples, rivals } = verdict;
  if (rivals.length === 0) return { encoding, examples };
  const readings = [verdict, ...rivals];
  const next = 'Say which it is (read.encoding), or export it again as CSV UTF-8. Nothing was read.';
  const start = `${file}: it is not UTF-8, and its letters can be read in ${readings.length} ways`;
  throw new EncodingQuestion(`${start}: ${readings.map(sayReading).join('; ')}. ${next}`, {
    readings: readings.map(({ encoding, examples }) => ({ encoding, examples })),
    withoutWords: `${start}: as ${readings.map((reading) => reading.encoding).join(', ')}. ${next}`,
  });
}

/** `windows-1250: Łukasz, Śliwiński`. */
function sayReading({ encoding, examples }: EncodingReading): string {
  return [encoding, examples.map(escapeText).join(', ')].filter(Boolean).join(': ');
}
