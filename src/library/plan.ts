// The type of the plan that a program gets: counts, what guards hold, and the people.
import type { PlanCounts, RosterCounts } from '../core/run/run.ts';
import type { PlanRow } from '../report/plan/plan-row.ts';

/** One person of a plan, what happens to them and why; or a rejected row, with the cell to blame. */
export type PlannedPerson = PlanRow;

/** What a sync would send. */
export interface Plan {
  /** Rows of the roster: `rows = members + merged + filtered + rejects`. */
  roster: RosterCounts;
  /** People: `members = new + changed + again + unchanged + later`. */
  people: PlanCounts;
  /** Calls to the service, one for each person to send. */
  calls: number;
  /** Of these, calls that guards hold until somebody approves them. */
  held: number;
  /** Whether a guard holds the run or a part of it. */
  isHeld: boolean;
  /** Why: the name of the guard, and a sentence for a person. */
  reasons: { guard: string; message: string }[];
  /** People who were given nothing at the service before, if `invite` is on: the service may write to them. */
  possibleInvitations: number;
  /** How many people are put into each group. */
  groups: { group: string; adds: number }[];
  /** Columns that say who has left or not started, a sentence each. Say with `inactive` what to do with these people. */
  undecided: string[];
  /** What was noticed while the roster was read, a sentence each. */
  remarks: string[];
  /** Stands for exactly what would be sent. */
  hash: string;
}

/** The same while it waits for a yes. */
export interface PlanToConfirm extends Plan {
  /** The id of the run. */
  run: string;
  /** Every person and every rejected row, without people who already have everything; only until `confirm` has returned. */
  everybody(): AsyncIterable<PlannedPerson>;
}
