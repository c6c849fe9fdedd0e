// The type of what a person sees before confirming a plan.
import type { ChangedMember, Member } from '../../core/person/member.ts';
import type { Reject, RosterForm } from '../../core/rows/row.ts';
import type { PlanCounts, RosterCounts, RunPlan } from '../../core/run/run.ts';
import type { Trip } from '../../core/guards/trip.ts';

/** Where a plan is for, when no service is set: a dry run needs none. */
export const noService = '(no service is set)';

type OfPlan = 'calls' | 'possibleInvitations' | 'changes' | 'removals' | 'departures' | 'settingsChanged';

export interface PlanView extends Pick<RunPlan, OfPlan> {
  /** The host, or `SANDBOX` and its address. */
  service: string;
  serviceIsSandbox: boolean;
  source: string;
  form: RosterForm;
  /** Which column of the roster gives which field, in the header's order. */
  columns: { column: string; field: string }[];
  roster: RosterCounts;
  plan: PlanCounts;
  /** All groups of the people who would be sent, with how many people each. `isNew`: nobody was ever given it, though others were given groups. */
  groups: { group: string; adds: number; isNew?: boolean }[];
  /** Up to three of the members as they will be sent. */
  samples: Member[];
  forceSync: boolean;
  invite: boolean;
  /** The pace as a person writes it: `50/1s`. */
  rate: string;
  estimatedMs: number;
  /** The lines of each person who stands on several rows; the first few of them. */
  mergedLines: number[][];
  /** What was noticed while rows became members, a sentence each without its full stop. */
  remarks: string[];
  rejectSamples: Reject[];
  /** True for a new ledger: everyone is new because nothing is known yet. */
  nobodyKnown: boolean;
  changed?: ChangedMember[];
  /** The time a run has, ms, where this plan takes longer. */
  deadlineMs?: number;
  share?: number;
  /** What the roster says about people who have left or not started, where nobody has decided about them. */
  decision?: string[];
  /** Why guards stop the plan or a part of it, and how many of its calls. */
  held?: { reasons: Trip[]; calls: number };
}
