// What guards judge a plan by, what they stop of it, and the hold that this makes.
import type { PlanCounts, Action, SentAction } from '../run/run.ts';
import type { LeftOut } from '../inspect/presence/left-out-taker.ts';
import type { Sign } from '../inspect/presence/sign.ts';
import type { RosterCensus, Usual } from './usual.ts';
import type { NextStep } from '../errors.ts';
import type { GuardName } from './guard-settings.ts';

export interface GuardFacts {
  /** Absent of a dry run, which nobody can look at afterwards. */
  runId?: string;
  source: string;
  census: RosterCensus;
  counts: PlanCounts;
  calls: number;
  possibleInvitations: number;
  /** The most that one run may have, as somebody set it; absent if nobody did. */
  maxInvitations?: number;
  usual?: Usual;
  /** No roster of this source was released at this service: there is nothing to compare with. */
  isFirst: boolean;
  /** The ledger was rebuilt, and no such roster of this source was released since. */
  isRebuilt?: boolean;
  isUnattended: boolean;
  /** The roster holds only some of the source's people, so that what is missing in it says nothing. */
  isPartial: boolean;
  /** People who were given something by this source; asked for where only some of them are in the roster. */
  known?: number;
  /** Calls for people who left, by the policy for them. */
  leavers: number;
  /** What `forceSync` takes away; absent if it is off. */
  removals?: Removals;
  /** This source calls without `forceSync` and another one with it: a call of that one takes out whom this one no longer gives a group. */
  isForcedElsewhere?: boolean;
  /** Whether `forceSync` was switched since this source's last run, and that run. */
  switched?: { to: boolean; since: string; isAskedFor: boolean };
  /** Of a run of events: what such runs of its source have released within a day, since somebody approved one. */
  earlier?: Earlier;
  unfinished?: UnfinishedRun;
  /** An open run that this one would replace, though it does not have all of its unsent people. */
  dropped?: DroppedRun;
  /** The last run that was released, or held as a whole, if a person has cancelled it; of the last released one, if that was, whom this one would send. */
  cancelled?: { id: string; trips: Trip[]; unsent: Pick<DroppedRun, 'id' | 'people'> | null };
  /** Keys of the people whom somebody left out when they approved an earlier run, and who were not sent since. */
  withheld?: readonly string[];
  /** Columns that said in former rosters who is not there, and that this one lacks. */
  lostTells?: readonly string[];
  /** What the roster says about people who have left or not started, and nobody has decided about. */
  signs?: readonly Sign[];
  /** By which people are left out, and count as missing, for the first time. */
  leftOut?: readonly LeftOut[];
  /** Groups of this roster that nobody was ever given at this service, with the people in each, one that was given before and that they look `like`, or the several that one name may mean, and whether they are the first codes. */
  unknownGroups: { group: string; people: number; like?: readonly string[]; isCode?: boolean }[];
  /** From which vanishing group to which appearing one people went; asked for where groups vanish. */
  moves: GroupMove[];
  /** How many people lose each group that lost too many, or are missing for the first time, and are sent nothing. */
  lostSilently?: { group: string; people: number }[];
  /** How many of these people each source knew before; asked for where this source knew few of them. */
  knownBy?: { source: string; people: number }[];
  /** The column that most rejects blame, and how many do; asked for where there are many. */
  blamed?: { column: string; rejects: number };
}

export type Earlier = Removals & Record<'new' | 'changed' | 'departed' | 'possibleInvitations', number>;

export interface UnfinishedRun {
  id: string;
  status: 'paused' | 'halted';
  /** A person's command or Ctrl-C stopped it, not the service's answers. */
  isByPerson: boolean;
  /** No run of its source was released before it. */
  isFirst: boolean;
  calls: number;
  /** How many of its calls have ended. */
  sent: number;
  /** People who are new in the plan that is judged, and whom this run has not sent yet. */
  waiting: number;
}

export interface DroppedRun {
  id: string;
  status: 'paused' | 'halted' | 'held';
  /** People whom it has not sent, and who are not in the plan that is judged. */
  people: number;
}

/** Memberships that we gave and that calls with `forceSync` would take away again. */
export interface Removals {
  memberships: number;
  people: number;
}

export interface GroupMove {
  from: string;
  to: string;
  people: number;
}

/** What of a plan a guard stops: everything, or only deliveries of these actions, with these groups, or of these people. */
export type TripScope =
  | 'all'
  | { actions: Action[] }
  | { groups: string[] }
  /** Keys of persons, only where they are few. */
  | { people: string[] };

/** A guard that stopped a plan, or a part of one, until a person approves it. */
export interface Trip {
  guard: GuardName;
  scope: TripScope;
  /** What it saw, and what is usual: sentences for a person. */
  message: string;
  /** The same without any text of the roster, for notifications; absent if the message has none. */
  brief?: string;
  next?: readonly NextStep[];
}

/** What of a held run somebody approves; everything where nothing is named. */
export interface ApprovalScope {
  only?: SentAction[];
  exceptGroups?: string[];
  /** Nobody whom these of the run's reasons stop: their places, from 1. */
  exceptReasons?: number[];
}

/** Whether two approvals name the same part of a run; of nothing named, which is everything, there is no part. */
export function isSamePart(one: ApprovalScope, other: ApprovalScope): boolean {
  const isPart = [one.only, one.exceptGroups, one.exceptReasons].some((named) => (named?.length ?? 0) > 0);
  return (
    isPart &&
    isSameSet(one.only, other.only) &&
    isSameSet(one.exceptGroups, other.exceptGroups) &&
    isSameSet(one.exceptReasons, other.exceptReasons)
  );
}

export function isSameHold(one: readonly Trip[], other: readonly Trip[]): boolean {
  const told = (trips: readonly Trip[]): string[] => trips.map(({ guard, scope }) => JSON.stringify([guard, scope]));
  return isSameSet(told(one), told(other));
}

function isSameSet<Item>(one: readonly Item[] = [], other: readonly Item[] = []): boolean {
  return one.every((each) => other.includes(each)) && other.every((each) => one.includes(each));
}

/** The time, ms, that a hold waits for an approval before it is cancelled. */
export const holdForMs = 72 * 60 * 60 * 1000;

export function heldReason(deliveries: number): string {
  if (deliveries === 0) return 'nobody would be sent, and the roster waits for an approval';
  return deliveries === 1 ? '1 delivery waits for an approval' : `${deliveries} deliveries wait for an approval`;
}
