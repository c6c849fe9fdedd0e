// The type of the facts that guards judge a plan by.
import type { PlanCounts } from '../run/run.ts';
import type { Sign } from '../inspect/presence/sign.ts';
import type { RosterCensus } from './roster-census.ts';
import type { Usual } from './usual.ts';

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
  isUnattended: boolean;
  /** The roster holds only some of the source's people, so that what is missing in it says nothing. */
  isPartial: boolean;
  /** People who were given something by this source; asked for where only some of them are in the roster. */
  known?: number;
  /** Calls for people who left, by the policy for them. */
  leavers: number;
  /** What `forceSync` takes away; absent if it is off. */
  removals?: Removals;
  /** Whether `forceSync` was switched since this source's last run, and that run. */
  switched?: { to: boolean; since: string; isAskedFor: boolean };
  unfinished?: UnfinishedRun;
  /** What the roster says about people who have left or not started, and nobody has decided about. */
  signs?: readonly Sign[];
  /** Groups of this roster that nobody was ever given at this service, with the people in each, one that was given before and that they look `like`, and whether they are the first codes. */
  unknownGroups: { group: string; people: number; like?: string; isCode?: boolean }[];
  /** From which vanishing group to which appearing one people went; asked for where groups vanish. */
  moves: GroupMove[];
  /** How many of these people each source knew before; asked for where this source knew few of them. */
  knownBy?: { source: string; people: number }[];
  /** The column that most rejects blame, and how many do; asked for where there are many. */
  blamed?: { column: string; rejects: number };
}

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
