// Many moves as one decision: by a rule for addresses, or as pairs.
import { personKey } from '../person/member.ts';

/** A person whose address changed, or, with the same key twice, whose employee id did. */
export interface Move {
  oldKey: string;
  newKey: string;
}

/** A move that is not made, and why. */
export interface UnfitMove extends Move {
  why: 'unknown' | 'erased' | 'twice' | 'chain';
}

/** Why a move is not made, for a person. */
export const unfitWords: Readonly<Record<UnfitMove['why'], string>> = {
  unknown: 'nobody was ever sent as the old address',
  erased: 'who has the new address was erased and is not sent again',
  twice: 'the old or the new address is named by another move too',
  chain: 'the new address is the old one of another move',
};

/** Whether two texts are a rule: `@old.example` and `@new.example`. */
export const isRule = (from: string, to: string): boolean => [from, to].every((text) => /^@[^@\s]+$/.test(text));

/** The moves that a rule makes of these keys. */
export function movesByRule(keys: readonly string[], from: string, to: string): Move[] {
  const [end, start] = [from.toLowerCase(), to.toLowerCase()];
  return keys.flatMap((oldKey) =>
    oldKey.endsWith(end) ? [{ oldKey, newKey: oldKey.slice(0, -end.length) + start }] : [],
  );
}

/** The moves that rows of two addresses say; rows without two addresses, such as a header, are counted. */
export function movesOfRows(rows: readonly (readonly string[])[]): { moves: Move[]; others: number } {
  const moves = rows.flatMap(([old = '', now = '']) =>
    old.includes('@') && now.includes('@') ? [{ oldKey: personKey(old), newKey: personKey(now) }] : [],
  );
  return { moves, others: rows.length - moves.length };
}

/** Parts the moves that can be made together from those that cannot: in any order they come to the same. */
export function partMoves(moves: readonly Move[]): { fit: Move[]; unfit: UnfitMove[] } {
  const count = (keys: string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const distinct = [...new Map(moves.map((move) => [`${move.oldKey}\n${move.newKey}`, move])).values()];
  const [olds, news] = [count(distinct.map(({ oldKey }) => oldKey)), count(distinct.map(({ newKey }) => newKey))];
  const [fit, unfit]: [Move[], UnfitMove[]] = [[], []];
  for (const move of distinct) {
    const { oldKey, newKey } = move;
    if ((olds.get(oldKey) ?? 0) > 1 || (news.get(newKey) ?? 0) > 1) unfit.push({ ...move, why: 'twice' });
    else if (oldKey !== newKey && (olds.has(newKey) || news.has(oldKey))) unfit.push({ ...move, why: 'chain' });
    else fit.push(move);
  }
  return { fit, unfit };
}
