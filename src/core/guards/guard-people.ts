// Guards of people: joiners, leavers, movers, invitations, removals.
import { defined } from '../defined.ts';
import { type NextStep, onRun } from '../errors.ts';
import { sayLeftOut } from '../inspect/presence/left-out-taker.ts';
import { briefSigns, rowsOf, signSentences } from '../inspect/presence/sign.ts';
import type { Trip, GuardFacts, TripScope, UnfinishedRun } from './trip.ts';
import { count, figure, percentOf } from '../text/format.ts';
import { exceeds, type GuardSettings, type Share } from './guard-settings.ts';
import { sum } from './usual.ts';
import { say, sentence } from '../words/say.ts';

export function judgePeople(facts: GuardFacts, guards: GuardSettings): Trip[] {
  const summed = withEarlier(facts);
  const ofDay = [judgeDeparted, judgeChanged, judgeNew, judgeInvitations, judgeRemovals].map((judge) => {
    const trip = judge(summed, guards);
    const isAlone = trip === undefined || summed === facts || judge(facts, guards) !== undefined;
    return isAlone ? trip : { ...trip, message: `${trip.message} ${say('earlierParts', 1)}` };
  });
  return [
    undecided(facts),
    judgeLeftOut(facts, guards),
    tooManyInvitations(facts),
    firstUnwatched(facts, guards),
    switchedForceSync(facts, guards),
    ...ofDay,
    pausedByPerson(facts),
    replacesOthers(facts, guards),
    leftOut(facts),
  ].filter((trip) => trip !== undefined);
}

/** Many runs of a few people each come to what one run of all of them would be; of what a run has none, there is nothing to stop. */
function withEarlier(facts: GuardFacts): GuardFacts {
  const { earlier, counts, possibleInvitations, removals } = facts;
  if (earlier === undefined) return facts;
  const add = (own: number, before: number): number => (own === 0 ? 0 : own + before);
  const people = facts.census.members + earlier.new + earlier.changed;
  return {
    ...facts,
    known: Math.max(facts.known ?? 0, people),
    counts: {
      ...counts,
      new: add(counts.new, earlier.new),
      changed: add(counts.changed, earlier.changed),
      departed: add(counts.departed, earlier.departed),
    },
    possibleInvitations: add(possibleInvitations, earlier.possibleInvitations),
    ...(removals && {
      removals: {
        people: add(removals.people, earlier.people),
        memberships: add(removals.memberships, earlier.memberships),
      },
    }),
  };
}

/** The guard that holds a run whose roster speaks of people who are not there; named as the setting that answers it. */
export const undecidedGuard = 'everybody';

type MaybeTrip = Trip | undefined;

/** Who has left, or not begun, by the roster's own columns would be sent: a person decides, and `--yes` is no answer to it. */
function undecided({ signs = [] }: GuardFacts): MaybeTrip {
  if (signs.length === 0) return undefined;
  const message = say('undecided', 1, { signs: signSentences(signs).join('; ') });
  return {
    guard: undecidedGuard,
    scope: 'all',
    message,
    brief: say('undecidedBriefly', 1, { signs: briefSigns(signs) }),
    next: [{ setting: 'onlyActive' }, { setting: 'everybody' }],
  };
}

/** A bound that somebody set, not a comparison: it applies to the first run too, and with `--yes`. */
function tooManyInvitations({ possibleInvitations, maxInvitations }: GuardFacts): MaybeTrip {
  if (maxInvitations === undefined || possibleInvitations <= maxInvitations) return undefined;
  const message = say('maxInvitations', possibleInvitations, { most: figure(maxInvitations) });
  return { guard: 'maxInvitations', scope: 'all', message, next: [{ setting: 'delivery.maxInvitations' }] };
}

/** Nobody has ever looked at what this source gives, or not since the ledger may lack people; an approval changes that. */
function firstUnwatched(facts: GuardFacts, { invites }: GuardSettings): MaybeTrip {
  const { isFirst, isRebuilt, isUnattended, calls, possibleInvitations, source } = facts;
  if (!(isFirst || isRebuilt) || !isUnattended || calls === 0 || invites === 'off') return undefined;
  const invited = possibleInvitations > 0 ? say('ofThemInvited', possibleInvitations) : '';
  return {
    guard: 'invites',
    scope: 'all',
    message: say(isFirst ? 'firstUnwatched' : 'firstRebuilt', calls, { source, invited }),
  };
}

function switchedForceSync({ switched, calls, removals }: GuardFacts, { removals: guard }: GuardSettings): MaybeTrip {
  if (!switched?.to || switched.isAskedFor || guard === 'off' || calls === 0) return undefined;
  const memberships = count(removals?.memberships ?? 0, 'membership');
  const message = say('switchedForceSync', calls, { since: switched.since, memberships });
  return { guard: 'removals', scope: 'all', message };
}

function judgeDeparted(facts: GuardFacts, { departed: guard }: GuardSettings): MaybeTrip {
  const { counts, usual, isPartial, isFirst } = facts;
  // A roster that holds only some people says nothing of who is missing, but rows may say who has left.
  if (guard === 'off' || isFirst || (isPartial && facts.leavers === 0)) return undefined;
  const usually = usual?.members ?? facts.known ?? 0;
  // Who waits for a first day, or for an invitation, could not leave yet.
  const whole =
    counts.later > 0 && !isPartial ? Math.min(usually, facts.census.members - counts.later + counts.departed) : usually;
  if (!exceeds(guard, counts.departed, whole)) return undefined;
  const percent = percentOf(counts.departed, whole);
  const message = say('departed', counts.departed, { percent, whole: figure(whole) });
  // Where nothing is done about them there is nothing else to stop: the roster itself is in question.
  const scope: TripScope = facts.leavers > 0 ? { actions: ['departed'] } : 'all';
  return { guard: 'departed', scope, message, next: onRun(facts.runId, 'departed') };
}

/** Who is on leave, say, has not left. */
function judgeLeftOut({ leftOut = [], runId }: GuardFacts, { departed: guard }: GuardSettings): MaybeTrip {
  if (guard === 'off' || leftOut.length === 0) return undefined;
  const rows = leftOut.reduce((sum, { words }) => sum + rowsOf(words), 0);
  const message = leftOut.map((each) => sentence(sayLeftOut('leftOutMissing', each))).join(' ');
  const brief = say('leftOutBriefly', rows);
  return { guard: 'departed', scope: { actions: ['departed'] }, message, brief, next: onRun(runId, 'departed') };
}

/** Of whom a share is meant: of a roster with only some of the people, all that are known. */
function wholeOf({ census, isPartial, known = 0 }: GuardFacts): number {
  return isPartial ? Math.max(census.members, known) : census.members;
}

const shareOf = (part: number, facts: GuardFacts): { percent: string; whole: string } => ({
  percent: percentOf(part, wholeOf(facts)),
  whole: figure(wholeOf(facts)),
});

function judgeChanged(facts: GuardFacts, { changed: guard }: GuardSettings): MaybeTrip {
  const { counts, usual, isFirst, switched } = facts;
  if (guard === 'off' || isFirst || !exceeds(guard, counts.changed, wholeOf(facts))) return undefined;
  const why = switched ? say('allChanged', 1, { to: switched.to ? 'on' : 'off' }) : say('lookAtChanged', 1);
  const said = { ...shareOf(counts.changed, facts), often: often(usual?.changed), why };
  return { guard: 'changed', scope: { actions: ['changed'] }, message: say('changed', counts.changed, said) };
}

function judgeNew(facts: GuardFacts, { new: guard }: GuardSettings): MaybeTrip {
  const { counts, usual, isFirst } = facts;
  if (guard === 'off' || isFirst || usual?.isOfBatches) return undefined;
  if (!exceeds(guard, counts.new, wholeOf(facts))) return undefined;
  const waiting = whoWaits(facts);
  const next = waiting?.said ?? 'Are they joiners, or known people with new addresses?';
  const said = { ...shareOf(counts.new, facts), often: often(usual?.new), next };
  const message = say('new', counts.new, said);
  return { guard: 'new', scope: { actions: ['new'] }, message, ...defined({ next: waiting?.next }) };
}

function judgeInvitations(facts: GuardFacts, guards: GuardSettings): MaybeTrip {
  const guard = guards.invites;
  const { possibleInvitations: invited, usual, isFirst } = facts;
  if (guard === 'off' || isFirst || !exceeds(guard, invited, wholeOf(facts))) return undefined;
  const waiting = judgeNew(facts, guards) ? undefined : whoWaits(facts);
  const since = waiting === undefined ? '' : ` ${waiting.said}`;
  const message = say('invites', invited, { ...shareOf(invited, facts), often: often(usual?.new), since });
  return { guard: 'invites', scope: { actions: ['new'] }, message, ...defined({ next: waiting?.next }) };
}

function judgeRemovals(facts: GuardFacts, { removals: guard }: GuardSettings): MaybeTrip {
  const { removals, usual } = facts;
  if (guard === 'off' || !removals) return undefined;
  const { memberships } = removals;
  const given = sum(usual?.groups ?? {});
  const isShare = usual !== undefined && exceeds(guard satisfies Share, memberships, given);
  if (memberships <= guard.max && !isShare) return undefined;
  const share = usual ? ` (${percentOf(memberships, given)} of ${figure(given)})` : '';
  const people = count(removals.people, 'person', 'people');
  const message = say('removals', memberships, { share, people });
  return { guard: 'removals', scope: { actions: ['changed', 'again'] }, message };
}

const often = (usual: number | undefined): string => (usual === undefined ? '' : `, usually ${figure(usual)}`);

/** Unattended runs of its source wait until a person decides. */
function pausedByPerson({ unfinished, cancelled, isUnattended, source }: GuardFacts): Trip | undefined {
  if (!isUnattended) return undefined;
  const unsent = cancelled?.unsent;
  if (unsent) return { guard: 'paused', scope: 'all', message: say('cancelled', unsent.people, { id: unsent.id }) };
  if (!unfinished?.isByPerson) return undefined;
  const { id, isFirst } = unfinished;
  const first = isFirst ? `, the first of ${source},` : ` of ${source}`;
  const message = say('paused', 1, { id, first, progress: progressOf(unfinished) });
  return { guard: 'paused', scope: 'all', message, next: onRun(id, 'resume', 'cancel') };
}

/**
 * Whom an open run has not sent, and this roster does not have, nobody would send any more. In rosters of everybody some are
 * always gone; a file that somebody brings, or one of a batch, says nothing of whom it does not have. What is held is often
 * answered by a better file, but not by the next batch.
 */
function replacesOthers({ dropped, isUnattended, usual }: GuardFacts, { departed }: GuardSettings): MaybeTrip {
  if (dropped === undefined) return undefined;
  const { id, status, people } = dropped;
  const isOfBatches = usual?.isOfBatches ?? false;
  if (status === 'held' && !isOfBatches) return undefined;
  const isOfEverybody = isUnattended && usual !== undefined && !isOfBatches;
  if (isOfEverybody && (departed === 'off' || !exceeds(departed, people, usual.members))) return undefined;
  const next = onRun(id, status === 'held' ? 'approve' : 'resume', 'cancel');
  return { guard: 'replaced', scope: 'all', message: say('replaced', people, { id, status }), next };
}

/** Above this, everybody is held instead: the keys are kept with the run. */
export const mostWithheld = 1000;

/** Whom somebody left out of an approval waits for another one, whatever the limits of the other guards are. */
function leftOut({ withheld = [] }: GuardFacts): MaybeTrip {
  if (withheld.length === 0) return undefined;
  const scope = withheld.length > mostWithheld ? 'all' : { people: [...withheld] };
  return { guard: 'withheld', scope, message: say('withheld', withheld.length) };
}

/** Who of the people waits in an unfinished run, and how that goes on. */
function whoWaits(facts: GuardFacts): { said: string; next?: NextStep[] } | undefined {
  const { unfinished, counts } = facts;
  if (unfinished === undefined || unfinished.waiting === 0) return undefined;
  const { id, status, waiting, isFirst } = unfinished;
  const who = waiting === counts.new ? 'They' : `${figure(waiting)} of them`;
  const wait = waiting === 1 && who !== 'They' ? 'waits' : 'wait';
  // The other trip says all the rest.
  if (pausedByPerson(facts)) return { said: `${who} ${wait} in run ${id}.` };
  const first = isFirst ? ', the first of this source' : '';
  const said = say('waiting', 1, { who, wait, id, first, status, progress: progressOf(unfinished) });
  return { said, next: onRun(id, 'resume') };
}

const progressOf = ({ sent, calls }: UnfinishedRun): string => `${figure(sent)} of ${count(calls, 'call')}`;
