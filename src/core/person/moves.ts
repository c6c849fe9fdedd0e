// Many moves as one decision: by a rule for a domain, or as pairs of addresses.
import { isEmailAddress } from '../cells/read-cell.ts';
import { personKey } from './member.ts';

/** A person whose address changed, or, with the same key twice, whose employee id did. */
export interface Move {
  oldKey: string;
  newKey: string;
  /** Nobody named this very person: it comes of a rule for a domain. */
  byRule?: true;
}

/** A move that is not made, and why. */
export interface UnfitMove extends Move {
  why: 'unknown' | 'erased' | 'taken' | 'two-ids' | 'twice' | 'chain' | 'no-address';
}

/** Two addresses as somebody wrote them, or a rule: `@old.example` and `@new.example`. */
export interface AddressPair {
  old: string;
  new: string;
}

/** Whether a pair is a rule for everybody at a domain. */
export const isRule = (pair: AddressPair): boolean =>
  [pair.old, pair.new].every((text) => /^\s*@[^@\s]+\s*$/.test(text));

/** The moves of a pair; for a rule, those of people at the old domain, whose keys `keysAt` finds. */
export async function movesOfPair(
  pair: AddressPair,
  keysAt: (domain: string) => Promise<readonly string[]>,
): Promise<Move[]> {
  const [old, now] = [personKey(pair.old), personKey(pair.new)];
  if (!isRule(pair) || old === now) return [{ oldKey: old, newKey: now }];
  return (await keysAt(old)).map((oldKey) => ({ oldKey, newKey: oldKey.slice(0, -old.length) + now, byRule: true }));
}

/** The pairs that rows of two cells say; a first row without an address is the header. */
export function pairsOfRows(rows: readonly (readonly string[])[]): AddressPair[] {
  const pairs = rows.map(([old = '', now = '']) => ({ old, new: now }));
  return pairs[0] && !`${pairs[0].old}${pairs[0].new}`.includes('@') ? pairs.slice(1) : pairs;
}

/** Parts the moves that can be made together from those that cannot: in any order they come to the same. */
export function partMoves(moves: readonly Move[]): { fit: Move[]; unfit: UnfitMove[] } {
  const distinct = [...new Map(moves.map((move) => [`${move.oldKey}\n${move.newKey}`, move])).values()];
  const olds = Map.groupBy(distinct, ({ oldKey }) => oldKey);
  const news = Map.groupBy(distinct, ({ newKey }) => newKey);
  const isTwice = (named: typeof olds, key: string): boolean => (named.get(key)?.length ?? 0) > 1;
  const [fit, unfit]: [Move[], UnfitMove[]] = [[], []];
  for (const move of distinct) {
    const { oldKey, newKey } = move;
    if (!isEmailAddress(newKey)) unfit.push({ ...move, why: 'no-address' });
    else if (isTwice(olds, oldKey) || isTwice(news, newKey)) unfit.push({ ...move, why: 'twice' });
    else if (oldKey !== newKey && (olds.has(newKey) || news.has(oldKey))) unfit.push({ ...move, why: 'chain' });
    else fit.push(move);
  }
  return { fit, unfit };
}
