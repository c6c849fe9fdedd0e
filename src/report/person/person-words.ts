// Says what forgetting a person erases and cannot reach, and what happened to moves to new addresses.
import { join } from 'node:path';
import type { IdentityDecision } from '../../core/rows/row.ts';
import type { Move, UnfitMove } from '../../core/person/moves.ts';
import { withNext } from '../../core/errors.ts';
import { escapeText, count } from '../../core/text/format.ts';
import { say } from '../../core/words/say.ts';
import { nameAtTerminal } from '../terminal/commands.ts';
import type { ResolvedMoves } from '../../ledger/planning/resolving.ts';
import type { Erased, Known } from '../../ledger/people/forget.ts';

/** Moves shown as a sample. */
export const fewMoves = 5;
const mostUnfit = 20;

/** What a decision means for moves, as the end of a sentence that begins with how many. */
export const decisionWords = (decision: IdentityDecision): string => say(`decided-${decision}`, 1);

/** How many moves there are, a few of them, and which do not fit and why. */
export function movesInWords({ moved, unfit }: ResolvedMoves, decision: IdentityDecision): string {
  return [
    `${count(moved.length, 'move')}: ${decisionWords(decision)}.`,
    ...moved.slice(0, fewMoves).map((move) => `  ${arrow(move)}`),
    ...more(moved.length - fewMoves),
    ...unfitLines({ unfit }),
  ].join('\n');
}

const unfitInWords = ({ why }: UnfitMove): string =>
  withNext(say(`unfit-${why}`, 1), why === 'erased' ? [{ act: 'people.allow' }] : [], nameAtTerminal);

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

export function knownInWords({ sources, deliveries, answers, rejects, storyAnswers, unsent }: Known): string {
  if (sources + deliveries + rejects + storyAnswers === 0)
    return 'nothing is known about this address. It will be kept out of every roster.';
  const waiting = unsent > 0 ? ` ${count(unsent, 'delivery', 'deliveries')} not sent yet will be cancelled.` : '';
  const answered = storyAnswers > 0 ? ` They answered ${count(storyAnswers, 'question')} of stories.` : '';
  return (
    `given something by ${count(sources, 'source')}; ${count(deliveries, 'delivery', 'deliveries')}, ` +
    `${count(answers, 'answer')}, ${count(rejects, 'reject')} mention them.${answered}${waiting}`
  );
}

/** What was erased, in a sentence or two. */
export function erasedInWords(erased: Erased): string[] {
  const { sources, deliveries, answers, rejects, storyAnswers, cancelled, mentions } = erased;
  return [
    `Erased: what ${count(sources, 'source')} gave, ${count(deliveries, 'delivery', 'deliveries')}, ${count(answers, 'answer')}, ` +
      `${count(rejects, 'reject')}${storyAnswers > 0 ? `, ${count(storyAnswers, 'answer')} to questions` : ''}${mentions > 0 ? `, ${count(mentions, 'other mention')}` : ''}. Totals of runs stay.`,
    ...(cancelled > 0 ? [say('unsentErased', cancelled)] : []),
  ];
}

/** A line each. `left`: files of the data directory that hold the address or may, relative to `folder`; `delivering`: the run that keeps the ledger's from being rewritten. */
export function notReached(facts: {
  isEmbedded: boolean;
  known: Pick<Known, 'otherAddresses'>;
  left: readonly string[];
  delivering?: string;
  folder: string;
}): string[] {
  const { isEmbedded, known, left, delivering, folder } = facts;
  return [
    say('staysInService', 1),
    say('staysInRoster', 1),
    say(isEmbedded ? 'staysInCopies' : 'staysInPostgres', 1),
    ...known.otherAddresses.map((other) => say('staysByMove', 1, { other })),
    ...(delivering === undefined ? [] : [say('staysWhileDelivering', 1, { run: delivering })]),
    ...left.map((file) => say('staysInFile', 1, { file: join(folder, file) })),
  ];
}
