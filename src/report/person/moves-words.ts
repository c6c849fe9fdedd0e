// Says what happened to moves to new addresses, or would become of them: in words and as JSON.
import type { IdentityDecision } from '../../core/rows/row.ts';
import { type Move, type UnfitMove, unfitWords } from '../../core/person/moves.ts';
import { withNext } from '../../core/words/say.ts';
import { escapeText } from '../../core/text/escape.ts';
import { count } from '../../core/text/figures.ts';
import { nameAtTerminal } from '../terminal/commands.ts';
import type { ResolvedMoves } from '../../ledger/planning/resolving.ts';

/** Moves shown as a sample. */
export const fewMoves = 5;
const mostUnfit = 20;

/** What a decision means for moves, as the end of a sentence that begins with how many. */
export const decisionWords: Readonly<Record<IdentityDecision, string>> = {
  'renamed-there': 'what was given at the old address counts for the new one from now on',
  'new-account': 'the new address is a new account, and the old one is left as it is',
};

/** How many moves there are, a few of them, and which do not fit and why. */
export function movesInWords({ moved, unfit }: ResolvedMoves, decision: IdentityDecision): string {
  return [
    `${count(moved.length, 'move')}: ${decisionWords[decision]}.`,
    ...moved.slice(0, fewMoves).map((move) => `  ${arrow(move)}`),
    ...more(moved.length - fewMoves),
    ...unfitLines({ unfit }),
  ].join('\n');
}

const unfitInWords = ({ why }: UnfitMove): string =>
  withNext(unfitWords[why], why === 'erased' ? [{ act: 'people.allow' }] : [], nameAtTerminal);

/** Which moves do not fit and why, a line each after one that says how many. */
export function unfitLines({ unfit }: Pick<ResolvedMoves, 'unfit'>): string[] {
  if (unfit.length === 0) return [];
  return [
    `${count(unfit.length, 'move does', 'moves do')} not fit. Nothing is changed for:`,
    ...unfit.slice(0, mostUnfit).map((move) => `  ${arrow(move)}: ${unfitInWords(move)}`),
    ...more(unfit.length - mostUnfit),
  ];
}

const arrow = ({ oldKey, newKey }: Move): string => `${escapeText(oldKey)} → ${escapeText(newKey)}`;

const more = (left: number): string[] => (left > 0 ? [`  and ${count(left, 'more', 'more')}`] : []);

/** The same for programs. */
export function movesJson(
  { moved, unfit, sources, hash, isDone }: ResolvedMoves,
  { service, decision }: { service: string; decision: IdentityDecision },
) {
  const pair = ({ oldKey, newKey }: Move) => ({ old: oldKey, new: newKey });
  return {
    ...{ decision, service, sources, moves: moved.length, sample: moved.slice(0, fewMoves).map(pair) },
    ...{ unfit: unfit.map((move) => ({ ...pair(move), why: move.why })), hash, isDone },
  };
}
