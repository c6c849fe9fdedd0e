// Finds names of groups that are probably misspelt or longer ones of other groups.
import type { Wording } from '../mapping/mapping-rules.ts';
import { say } from '../words/say.ts';
import { listOf } from '../words/words.ts';
import { figure, someOf, quote } from '../text/format.ts';
import { nearest } from '../text/nearest.ts';
import { sureSigns } from '../mapping/mapping-options.ts';
import { partsOf, unsureSigns } from './proposed.ts';

export interface LikeGroup {
  group: string;
  people: number;
  like: string;
  /** Infinity for a group that was given before and is not among these. */
  likePeople: number;
}

/** Shorter words differ by a letter although both are meant: HR and PR, team A and team B. */
const shortest = 5;
/** From this length on, two letters may be wrong. */
const longFrom = 10;
/** A group with more than a third of the other's people is no slip. */
const share = 3;
/** More groups than this are not compared with each other letter by letter. */
const mostGroups = 500;

/**
 * The groups that look like others: the same but for signs, accents, letters of another alphabet and words such as "team", or
 * misspelt ones of larger groups. Numbers in names are never slips.
 * @param given names that people were given before, which are no slips
 */
export function likeGroups(
  groups: readonly { group: string; people: number }[],
  given: readonly string[] = [],
): LikeGroup[] {
  const known = new Set(given);
  const before = given.map((group) => ({ group, people: Infinity }));
  const all = [...groups.filter(({ group }) => !known.has(group)), ...before].map((each, at) => ({
    ...each,
    at,
    plain: plainName(each.group),
  }));
  const largest = new Map<string, (typeof all)[number]>();
  for (const one of all) {
    const known = largest.get(one.plain);
    if (!known || one.people > known.people) largest.set(one.plain, one);
  }
  const byName = Map.groupBy(before, ({ group }) => group.toLowerCase());
  const areMany = (all.length - known.size) * all.length > mostGroups ** 2;
  return all.flatMap((one) => {
    const { group, people, at, plain } = one;
    if (known.has(group)) return [];
    const best = largest.get(plain);
    const like =
      (best?.at === at ? undefined : best) ??
      pluralOf(group).flatMap((name) => byName.get(name) ?? [])[0] ??
      (areMany ? undefined : misspelt(one, all));
    return like ? [{ group, people, like: like.group, likePeople: like.people }] : [];
  });
}

/**
 * The groups whose names may be several: of `Sales, IT` one part at least is a group too. Of a path, which `Sales/North` is,
 * every part has to be one.
 * @param given names that people were given before
 */
export function severalGroups(groups: readonly string[], given: readonly string[]): Map<string, string[]> {
  const known = new Set([...groups, ...given].map((name) => name.toLowerCase()));
  const before = new Set(given);
  const isKnown = (part: string): boolean => known.has(part.toLowerCase());
  const found = groups.flatMap((group): [string, string[]][] => {
    if (before.has(group)) return [];
    const sign = [...sureSigns, ...unsureSigns].find((each) => {
      const parts = partsOf(group, each);
      return parts.length > 1 && (each === '/' ? parts.every(isKnown) : parts.some(isKnown));
    });
    return sign === undefined ? [] : [[group, partsOf(group, sign)]];
  });
  return new Map(found);
}

/** What a person should hear of groups that look like others: at most one sentence each of those that may be misspelt and those that may be several. */
export function alikeRemark(
  groups: Readonly<Record<string, number>>,
  given: readonly string[],
  { merging }: Pick<Wording, 'merging'>,
): string[] {
  const counted = Object.entries(groups).map(([group, people]) => ({ group, people }));
  const alike = likeGroups(counted, given);
  const several = severalGroups(Object.keys(groups), given);
  const split = [...several].map(([group, parts]) => `${quote(group)} (${parts.map(quote).join(' and ')})`);
  const remarks = split.length > 0 ? [say('severalGroups', split.length, { groups: someOf(split) })] : [];
  const [first] = alike;
  if (!first) return remarks;
  const found = alike.map(
    ({ group, people, like, likePeople }) =>
      `${quote(group)} (${figure(people)}) like ${quote(like)} (${likePeople === Infinity ? 'given before' : figure(likePeople)})`,
  );
  return [
    ...remarks,
    say('alikeGroups', found.length, { groups: someOf(found), merging: merging(first.group, first.like) }),
  ];
}

/** The larger group of which a name is probably a slip. A letter too many is one in any group of a single person. */
function misspelt<Group extends { group: string; people: number; plain: string }>(
  { group, people, plain }: Group,
  all: readonly Group[],
): Group | undefined {
  if (group.length < shortest) return undefined;
  const larger = all.filter(
    (other) =>
      other.plain !== plain &&
      (other.people >= people * share || (people === 1 && isOneLetterMore(group, other.group))) &&
      digitsOf(other.group) === digitsOf(group) &&
      differsInLongWord(group, other.group),
  );
  const names = larger.map((other) => other.group);
  const found = nearest(group, names, group.length >= longFrom ? 2 : 1);
  return larger.find((other) => other.group === found);
}

const isOneLetterMore = (one: string, other: string): boolean =>
  one.length - other.length === 1 && differsInLongWord(other, one);

/** `sales` of `Sale`, and the other way round: too short for a slip, but one of them was given before. */
function pluralOf(group: string): string[] {
  const name = group.toLowerCase();
  const singular = name.endsWith('s') ? name.slice(0, -1) : '';
  return [`${name}s`, singular].filter((other) => Math.min(name.length, other.length) >= shortest - 1);
}

const wordsIn = (name: string): string[] => name.toLowerCase().split(/[^\p{L}\p{M}]+/u);

/** Whether the words in which two names differ are long enough for a slip. */
function differsInLongWord(one: string, other: string): boolean {
  const [mine, others] = [wordsIn(one), wordsIn(other)];
  return mine.length !== others.length || mine.every((word, at) => word === others[at] || word.length >= shortest);
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** Letters of other alphabets that look like Latin ones, and those. */
const likeLatin = new Map(
  [...'аеорсухіјѕкмнтвοανρτικ'].map((letter, at) => [letter, [...'aeopcyxijskmhtboavptik'][at] ?? letter]),
);
const kinds = listOf('group-kinds');

/** What spellings of one name have in common: no case, accents, signs, nor words that say what kind of a group it is. */
function plainName(name: string): string {
  const folded = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const words = folded.split(/[^\p{L}\p{N}]+/u);
  const telling = words.filter((word) => !kinds().has(word)).join('');
  return (telling === '' ? words.join('') : telling).replace(/./gu, (letter) => likeLatin.get(letter) ?? letter);
}
