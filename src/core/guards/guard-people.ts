// Guards of people: joiners, leavers, movers, invitations, removals.
import { briefSigns, signSentences } from '../inspect/presence/sign.ts';
import type { Trip } from '../run/trip.ts';
import { count, figure, percentOf } from '../text/figures.ts';
import type { GuardFacts, UnfinishedRun } from './guard-facts.ts';
import { exceeds, type GuardSettings, type Share } from './guard-settings.ts';
import { sum } from './usual.ts';

export function judgePeople(facts: GuardFacts, guards: GuardSettings): Trip[] {
  return [
    undecided(facts),
    tooManyInvitations(facts),
    firstUnwatched(facts, guards),
    switchedForceSync(facts, guards),
    judgeDeparted(facts, guards),
    judgeChanged(facts, guards),
    judgeNew(facts, guards),
    judgeInvitations(facts, guards),
    judgeRemovals(facts, guards),
    pausedByPerson(facts),
  ].filter((trip) => trip !== undefined);
}

/** The guard that holds a run whose roster speaks of people who are not there; named as the setting that answers it. */
export const undecidedGuard = 'everybody';

type MaybeTrip = Trip | undefined;

const people = (value: number): string => count(value, 'person', 'people');

/** Who has left, or not begun, by the roster's own columns would be sent: a person decides, and `--yes` is no answer to it. */
function undecided({ signs = [] }: GuardFacts): MaybeTrip {
  if (signs.length === 0) return undefined;
  const next =
    '--only-active leaves them out, --everybody sends them; in the settings of a source, `only` or `except` says who ' +
    'counts, or `everybody: true`.';
  return {
    guard: undecidedGuard,
    scope: 'all',
    message: `${signSentences(signs).join('; ')}. ${next}`,
    brief: `people who have left or not started would be sent: ${briefSigns(signs)}. ${next}`,
  };
}

/** A bound that somebody set, not a comparison: it applies to the first run too, and with `--yes`. */
function tooManyInvitations({ possibleInvitations, maxInvitations }: GuardFacts): MaybeTrip {
  if (maxInvitations === undefined || possibleInvitations <= maxInvitations) return undefined;
  return {
    guard: 'maxInvitations',
    scope: 'all',
    message:
      `up to ${people(possibleInvitations)} would be invited by e-mail, but the limit is ${figure(maxInvitations)} ` +
      '(delivery.maxInvitations or --max-invitations). An invitation cannot be taken back.',
  };
}

/** Nobody has ever looked at what this source gives; an approval changes that. */
function firstUnwatched(facts: GuardFacts, { invites }: GuardSettings): MaybeTrip {
  const { isFirst, isUnattended, calls, possibleInvitations, source } = facts;
  if (!isFirst || !isUnattended || calls === 0 || invites === 'off') return undefined;
  const invited = possibleInvitations > 0 ? `, up to ${figure(possibleInvitations)} of them invited` : '';
  return {
    guard: 'invites',
    scope: 'all',
    message:
      `this is the first run of ${source}, and it is unattended: ${people(calls)} would be sent${invited}. ` +
      'Once you approve it, later runs are compared with it and sent without asking.',
  };
}

function switchedForceSync({ switched, calls, removals }: GuardFacts, { removals: guard }: GuardSettings): MaybeTrip {
  if (!switched?.to || switched.isAskedFor || guard === 'off' || calls === 0) return undefined;
  const known = removals?.memberships ?? 0;
  return {
    guard: 'removals',
    scope: 'all',
    message:
      `forceSync is on, and was off in the last run of this source (${switched.since}). Each of ${count(calls, 'call')} may take ` +
      `a person out of the groups that the roster does not name: at least ${count(known, 'membership')} that we gave, and ` +
      'groups assigned by hand, which roster-sync cannot count. If you do not want that, set forceSync: false.',
  };
}

function judgeDeparted(facts: GuardFacts, { departed: guard }: GuardSettings): MaybeTrip {
  const { counts, usual, isPartial, isFirst } = facts;
  if (guard === 'off' || isPartial || isFirst) return undefined;
  const whole = usual?.members ?? facts.known ?? 0;
  if (!exceeds(guard, counts.departed, whole)) return undefined;
  return {
    guard: 'departed',
    // Where nothing is done about them there is nothing else to stop: the roster itself is in question.
    scope: facts.leavers > 0 ? { actions: ['departed'] } : 'all',
    message:
      `${people(counts.departed)} (${percentOf(counts.departed, whole)} of the usual ${figure(whole)}) are no longer in the roster. ` +
      '`roster-sync show` with `--departed leavers.csv` names them: have they all left?',
  };
}

/** Of whom a share is meant: of a roster with only some of the people, all that are known. */
function wholeOf({ census, isPartial, known = 0 }: GuardFacts): number {
  return isPartial ? Math.max(census.members, known) : census.members;
}

function judgeChanged(facts: GuardFacts, { changed: guard }: GuardSettings): MaybeTrip {
  const { counts, usual, isFirst, switched } = facts;
  if (guard === 'off' || isFirst || !exceeds(guard, counts.changed, wholeOf(facts))) return undefined;
  const why = switched
    ? `forceSync was switched ${switched.to ? 'on' : 'off'} since the last run, so everybody counts as changed.`
    : 'Look at a few of them in the plan: did a column move, or were the settings of the source edited?';
  return {
    guard: 'changed',
    scope: { actions: ['changed'] },
    message: `${people(counts.changed)} of ${figure(wholeOf(facts))} (${percentOf(counts.changed, wholeOf(facts))}) have changed${often(usual?.changed)}. ${why}`,
  };
}

function judgeNew(facts: GuardFacts, { new: guard }: GuardSettings): MaybeTrip {
  const { counts, usual, isFirst } = facts;
  if (guard === 'off' || isFirst || usual?.isOfBatches) return undefined;
  if (!exceeds(guard, counts.new, wholeOf(facts))) return undefined;
  return {
    guard: 'new',
    scope: { actions: ['new'] },
    message:
      `${people(counts.new)} of ${figure(wholeOf(facts))} (${percentOf(counts.new, wholeOf(facts))}) are new${often(usual?.new)}. ` +
      (waitingSentence(facts) ?? 'Are they joiners, or known people with new addresses?'),
  };
}

function judgeInvitations(facts: GuardFacts, guards: GuardSettings): MaybeTrip {
  const guard = guards.invites;
  const { possibleInvitations: invited, usual, isFirst } = facts;
  if (guard === 'off' || isFirst || !exceeds(guard, invited, wholeOf(facts))) return undefined;
  const since = judgeNew(facts, guards) ? undefined : waitingSentence(facts);
  return {
    guard: 'invites',
    scope: { actions: ['new'] },
    message:
      `up to ${people(invited)} (${percentOf(invited, wholeOf(facts))} of ${figure(wholeOf(facts))}) would be invited by e-mail` +
      `${often(usual?.new)}; an invitation cannot be taken back. invite: false sends them without an invitation.${since === undefined ? '' : ` ${since}`}`,
  };
}

function judgeRemovals(facts: GuardFacts, { removals: guard }: GuardSettings): MaybeTrip {
  const { removals, usual } = facts;
  if (guard === 'off' || !removals) return undefined;
  const { memberships } = removals;
  const given = sum(usual?.groups ?? {});
  const isShare = usual !== undefined && exceeds(guard satisfies Share, memberships, given);
  if (memberships <= guard.max && !isShare) return undefined;
  const share = usual ? ` (${percentOf(memberships, given)} of ${figure(given)})` : '';
  return {
    guard: 'removals',
    scope: { actions: ['changed', 'again'] },
    message:
      `forceSync would end ${count(memberships, 'membership')}${share} that roster-sync gave ${people(removals.people)}, and any ` +
      'that were assigned by hand, which it cannot count. Is that intended?',
  };
}

const often = (usual: number | undefined): string => (usual === undefined ? '' : `, usually ${figure(usual)}`);

/** Unattended runs of its source wait until a person decides. */
function pausedByPerson({ unfinished, isUnattended, source }: GuardFacts): Trip | undefined {
  if (!unfinished?.isByPerson || !isUnattended) return undefined;
  const { id, isFirst } = unfinished;
  const message =
    `run ${id}${isFirst ? `, the first of ${source},` : ` of ${source}`} was paused by a person after ${progressOf(unfinished)}, so nothing is sent unattended: ` +
    `\`roster-sync resume ${id}\` continues it, \`roster-sync cancel ${id}\` ends it.`;
  return { guard: 'paused', scope: 'all', message };
}

function waitingSentence(facts: GuardFacts): string | undefined {
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
