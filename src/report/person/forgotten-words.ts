// Says what forgetting a person erases, erased, and cannot reach.
import { join } from 'node:path';
import { count } from '../../core/text/figures.ts';
import type { Erased, Known } from '../../ledger/people/forget.ts';

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
    ...(cancelled > 0 ? [`${count(cancelled, 'delivery', 'deliveries')} not sent yet will not be sent.`] : []),
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
    'the service: the account, its groups and answers are still there; this interface cannot remove anybody',
    'the roster they come from, and files handed out: reports, rejects, lists of people who left, answers',
    isEmbedded
      ? 'copies of the data directory, and ledgers that a rebuild moved aside (`ledger-aside-…`)'
      : "PostgreSQL's own backups and write-ahead log, and room it has freed and not yet written over",
    ...known.otherAddresses.map((other) => `another address of theirs, by a move: forget ${other} too`),
    ...(delivering === undefined
      ? []
      : [
          `the files of the ledger, which are not rewritten while run ${delivering} delivers: forget this person again when it has ended`,
        ]),
    ...left.map(
      (file) => `${join(folder, file)} holds the address, or is compressed and may hold it: remove it by hand`,
    ),
  ];
}
