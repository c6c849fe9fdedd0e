// The types of a plan: what a person sees before confirming it, and a line of its file.
import type { ChangedMember, Member } from '../../core/person/member.ts';
import type { Reject, RosterForm } from '../../core/rows/row.ts';
import type { PlanCounts, RosterCounts, RunPlan } from '../../core/run/run.ts';
import type { Trip } from '../../core/guards/trip.ts';

/** What happens to a person of a plan, or to a row of the roster that makes none. */
export const planKinds = ['new', 'changed', 'again', 'unchanged', 'later', 'departed', 'reject'] as const;
export type PlanKind = (typeof planKinds)[number];

export interface PlanRow {
  kind: PlanKind;
  email: string;
  firstname: string;
  lastname: string;
  telephone: string;
  /** What they are given; of who left, what they keep. */
  groups: string[];
  /** Old and new: `name: Ann Ek -> Ann Lind`, `groups: + Sales, - Brand`. */
  changes: string[];
  why: string;
  /** Of who begins later: `2027-01-01`. */
  firstDay: string;
  /** The guards that hold it, by their names. */
  heldBy: string[];
  file: string;
  line: number | null;
  /** Of a reject: the cell to blame. */
  column: string;
  value: string;
}

export interface PlanSource {
  /** What there is to say about the plan itself, as `--json` prints it. */
  document: object;
  /** Its head for people: what is read, and what would happen, a sentence each. */
  title: string;
  sentences: readonly string[];
  rows: AsyncIterable<PlanRow>;
}

/** The columns of such a file, in this order. */
export const planColumns = [
  ...['kind', 'email', 'firstname', 'lastname', 'telephone', 'groups', 'changes', 'why', 'firstDay', 'heldBy'],
  ...['file', 'line', 'column', 'value'],
] as (keyof PlanRow)[];

/** Where a plan is for, when no service is set: a dry run needs none. */
export const noService = '(no service is set)';

type OfPlan = 'calls' | 'possibleInvitations' | 'changes' | 'removals' | 'departures' | 'settingsChanged';

export interface PlanView extends Pick<RunPlan, OfPlan> {
  service: string;
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
