// Guards of a source whose earlier run was stopped before its end.
import type { GuardFacts, UnfinishedRun } from './guard-facts.ts';
import { count, figure } from '../text/figures.ts';
import type { Trip } from '../run/trip.ts';

/** Unattended runs of its source wait until a person decides. */
export function pausedByPerson({ unfinished, isUnattended, source }: GuardFacts): Trip | undefined {
  if (!unfinished?.isByPerson || !isUnattended) return undefined;
  const { id, isFirst } = unfinished;
  const message =
    `run ${id}${isFirst ? `, the first of ${source},` : ` of ${source}`} was paused by a person after ${progressOf(unfinished)}, so nothing is sent unattended: ` +
    `\`roster-sync resume ${id}\` continues it, \`roster-sync cancel ${id}\` ends it.`;
  return { guard: 'paused', scope: 'all', message };
}

export function waitingSentence(facts: GuardFacts): string | undefined {
  const { unfinished, counts } = facts;
  if (unfinished === undefined || unfinished.waiting === 0) return undefined;
  const { id, status, waiting, isFirst } = unfinished;
  const who = waiting === counts.new ? 'They' : `${figure(waiting)} of them`;
  const wait = waiting === 1 && who !== 'They' ? 'waits' : 'wait';
  // The other trip says all the rest.
  if (pausedByPerson(facts)) return `${who} ${wait} in run ${id}.`;
  return (
    `${who} ${wait} in run ${id}${isFirst ? ', the first of this source' : ''}, which was ${status} after ${progressOf(unfinished)}: ` +
    `\`roster-sync resume ${id}\` continues it; approving this run sends them by its newer roster instead.`
  );
}

const progressOf = ({ sent, calls }: UnfinishedRun): string => `${figure(sent)} of ${count(calls, 'call')}`;
