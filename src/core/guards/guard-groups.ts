// Guards of groups: renamed, too large, emptied, too many new ones.
import { defined } from '../defined.ts';
import { escapeText, count, figure, percentOf, someOf, shownText } from '../text/format.ts';
import type { GroupMove, GuardFacts, Trip } from './trip.ts';
import { exceeds, type GuardSettings, type Share } from './guard-settings.ts';
import { type RosterCensus, partOf, type Usual } from './usual.ts';
import { say } from '../words/say.ts';
import { recently } from './guard-roster.ts';

/** A group has a new name if this share of its people moved to one other group. */
const renamedShare = 0.5;
/** As many renamed groups as have a trip of their own. */
const mostRenames = 10;
/** With more groups than this a scope holds everything instead of naming them. */
const mostNamed = 500;

export type GroupChange = ReturnType<typeof changedGroups>[number];

/** Groups that lost or gained more of themselves than a guard lets pass, the largest change first. */
export function changedGroups(census: RosterCensus, usual: Usual, guard: Share) {
  return Object.entries(usual.groups)
    .map(([group, last]) => {
      const now = partOf(census.groups, group);
      // It is less than the most of the last days, not than what it was last.
      const isSlow = now < last && !exceeds(guard, last - now, last) && !usual.shrinking.includes(group);
      return { group, before: isSlow ? Math.max(last, partOf(usual.most.groups, group)) : last, now, isSlow };
    })
    .filter(({ before, now }) => exceeds(guard, Math.abs(now - before), before))
    .toSorted((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before) || (a.group < b.group ? -1 : 1));
}

/** Groups whose slow loss these trips ask about: once that is approved, it is usual. */
export function shrinkingGroups(trips: readonly Trip[], census: RosterCensus, usual: Usual, guard: Share): string[] {
  const isAsked = trips.some((trip) => trip.guard === 'group') && !trips.some((trip) => trip.guard === 'shrink');
  return isAsked ? changedGroups(census, usual, guard).flatMap(({ group, isSlow }) => (isSlow ? [group] : [])) : [];
}

/** Groups of this roster that the last one did not have, the largest first. */
export function appearedGroups(census: RosterCensus, usual: Usual): { group: string; people: number }[] {
  return Object.entries(census.groups)
    .filter(([group]) => !Object.hasOwn(usual.groups, group))
    .map(([group, people]) => ({ group, people }))
    .toSorted((a, b) => b.people - a.people || (a.group < b.group ? -1 : 1));
}

export function judgeGroups(facts: GuardFacts, guards: GuardSettings): Trip[] {
  const changes = facts.usual && !facts.isPartial ? judgeSizes(facts, facts.usual, guards) : [];
  const why = facts.isForcedElsewhere ? 'forcedElsewhere' : areLostSilently(facts, guards) && 'lostSilently';
  return [...(why ? changes.map((trip) => whole(trip, why)) : changes), ...judgeNewGroups(facts, guards)];
}

/** Whether a group loses more people than the guard lets pass by rows for which nothing is sent. */
function areLostSilently({ lostSilently = [], usual }: GuardFacts, { group: guard }: GuardSettings): boolean {
  return lostSilently.some(
    ({ group, people }) => guard !== 'off' && exceeds(guard, people, partOf(usual?.groups ?? {}, group)),
  );
}

/** To those who lose a group nothing is sent that could be held: the roster as a whole must not count. */
function whole(trip: Trip, why: 'forcedElsewhere' | 'lostSilently'): Trip {
  const [message, brief] = [trip.message, trip.brief ?? trip.message].map((said) => `${said} ${say(why, 1)}`);
  return { ...trip, scope: 'all', ...defined({ message, brief }) };
}

function judgeSizes(facts: GuardFacts, usual: Usual, { group: guard, shrink }: GuardSettings): Trip[] {
  if (guard === 'off' || usual.isOfBatches) return [];
  const { census, moves, removals } = facts;
  const changes = changedGroups(census, usual, guard);
  const renames = changes.flatMap((change) => renameOf(change, moves) ?? []);
  const renamed = new Set(renames.flatMap(({ from, to }) => [from.group, to]));
  const trips = renames.slice(0, mostRenames).map((rename) => sayRename(rename, census, removals !== undefined));
  // If the roster itself shrank, its groups did too: that is reported once.
  const isShrunk = [usual, usual.most].some(
    ({ members }) => shrink !== 'off' && exceeds(shrink, members - census.members, members),
  );
  const others = changes.filter(({ group, now, before }) => !renamed.has(group) && !(isShrunk && now < before));
  const unsaid = renames.slice(mostRenames).map(({ from }) => from);
  const left = [...others, ...unsaid];
  if (left.length === 0) return trips;
  const said = left.map(
    ({ group, before, now, isSlow }) =>
      `"${shownText(group)}" has ${figure(now)}, ${isSlow ? recently() : 'usually'} ${figure(before)} (${now < before ? 'lost' : 'gained'} ${percentOf(Math.abs(now - before), before)})`,
  );
  const [most] = left;
  const largest = most ? `, the largest change from ${figure(most.before)} to ${figure(most.now)} people` : '';
  const names = [...left.map(({ group }) => group), ...renames.slice(mostRenames).map(({ to }) => to)];
  return [
    ...trips,
    {
      guard: 'group',
      scope: names.length > mostNamed ? 'all' : { groups: names },
      message: say('changedGroups', left.length, {
        groups: someOf(said),
        slowly: left.some(({ isSlow }) => isSlow) ? ` ${say('shrinking', 1)}` : '',
      }),
      brief: say('changedGroupsBriefly', left.length, { largest }),
    },
  ];
}

interface Rename {
  from: GroupChange;
  to: string;
  people: number;
}

/** The group to which most people of a vanishing one went. */
function renameOf(change: GroupChange, moves: readonly GroupMove[]): Rename | undefined {
  if (change.now >= change.before) return undefined;
  const most = moves
    .filter(({ from }) => from === change.group)
    .toSorted((a, b) => b.people - a.people || (a.to < b.to ? -1 : 1))[0];
  if (!most || most.people < change.before * renamedShare) return undefined;
  return { from: change, to: most.to, people: most.people };
}

function sayRename({ from, to, people }: Rename, census: RosterCensus, isForced: boolean): Trip {
  const [old, fresh] = [shownText(from.group), shownText(to)];
  const percent = percentOf(Math.min(people, from.before), from.before);
  const into = count(partOf(census.groups, to), 'person', 'people');
  const [before, now] = [figure(from.before), figure(from.now)];
  const gone = from.now === 0 ? say('goneGroup', 1) : say('shrunkGroup', 1, { before, now });
  const line = escapeText(`rename: { ${JSON.stringify(to)}: ${JSON.stringify(from.group)} }`);
  const approving = say(isForced ? 'takesMovers' : 'keepsMovers', 1, { old, into, fresh });
  const message = say('renamedGroup', 1, { old, gone, fresh, percent, line, approving });
  const brief = say('renamedGroupBriefly', from.before, { gone: from.now === 0 ? 'disappeared' : 'shrank', percent });
  return { guard: 'group', scope: { groups: [from.group, to] }, message, brief };
}

function judgeNewGroups(
  { unknownGroups, isFirst, isUnattended, census, usual }: GuardFacts,
  { newGroups: guard }: GuardSettings,
): Trip[] {
  if (guard === 'off' || isFirst) return [];
  if (unknownGroups.length <= guard.count) return isUnattended ? judgeAlike(unknownGroups) : [];
  const names = unknownGroups.map(({ group }) => group);
  const said = unknownGroups.map(({ group, people }) => `"${shownText(group)}" (${figure(people)})`);
  const often = usual ? `, beside ${figure(Object.keys(usual.groups).length)} so far` : '';
  const isColumn = names.length * 2 > census.members;
  const next = isColumn ? 'Is a column of names or numbers read as groups?' : 'Are they intended, and spelt correctly?';
  const message = say('newGroups', names.length, { often, groups: someOf(said), next });
  const brief = say('newGroupsBriefly', names.length, { often, next });
  return [{ guard: 'newGroups', scope: names.length > mostNamed ? 'all' : { groups: names }, message, brief }];
}

/** New groups that look like known ones, by a slip or a letter of another alphabet, like several in one cell, or like codes. */
function judgeAlike(unknown: GuardFacts['unknownGroups']): Trip[] {
  const alike = unknown.filter(({ like, isCode = false }) => like !== undefined || isCode);
  if (alike.length === 0) return [];
  const said = alike.map(
    ({ group, like }) =>
      `"${shownText(group)}"${like ? ` like ${like.map((known) => `"${shownText(known)}"`).join(' and ')}` : ''}`,
  );
  const isCodes = alike.every(({ like }) => like === undefined);
  const what = isCodes ? 'codes' : 'known ones';
  const areSeveral = alike.some(({ like = [] }) => like.length > 1);
  const spelt = areSeveral ? 'Is it spelt correctly, or several groups, to `split`?' : 'Is it spelt correctly?';
  const next = isCodes ? 'Give them names with `rename`?' : spelt;
  const message = say('alikeNewGroups', 1, { what, groups: someOf(said), next });
  const brief = say('alikeNewGroupsBriefly', alike.length, { what, next });
  return [{ guard: 'newGroups', scope: { groups: alike.map(({ group }) => group) }, message, brief }];
}
