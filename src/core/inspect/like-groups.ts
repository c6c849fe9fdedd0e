// Finds names of groups that are probably misspelt ones of larger groups.
import { nearest } from '../text/nearest.ts';

export interface LikeGroup {
  group: string;
  people: number;
  like: string;
  likePeople: number;
}

/** Shorter names differ by a letter although both are meant: HR and PR. */
const shortest = 5;
/** From this length on, two letters may be wrong. */
const longFrom = 10;
/** A group with more than a third of the other's people is no slip. */
const share = 3;
/** More groups than this are not compared with each other. */
const mostGroups = 500;

/** The groups that look like misspelt ones of larger groups; numbers in names are never slips. */
export function likeGroups(groups: readonly { group: string; people: number }[]): LikeGroup[] {
  if (groups.length > mostGroups) return [];
  return groups.flatMap(({ group, people }) => {
    if (group.length < shortest) return [];
    const larger = groups.filter(
      (other) => other.group !== group && other.people >= people * share && digitsOf(other.group) === digitsOf(group),
    );
    const found = nearest(
      group,
      larger.map((other) => other.group),
      group.length >= longFrom ? 2 : 1,
    );
    const like = larger.find((other) => other.group === found);
    return like ? [{ group, people, like: like.group, likePeople: like.people }] : [];
  });
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');
