// The type of the result of one person in one group of a run.
import type { Outcome } from '../call/outcome.ts';
import type { Action } from './run.ts';

/** One person and one of their groups in one run. Null is what nobody knows. */
export interface ResultRow {
  email: string;
  firstname: string;
  lastname: string;
  group: string;
  /** Why the person was sent: new, changed, again or unchanged. */
  action: Action;
  outcome: Outcome | null;
  /** What the service said about this group. */
  status: string | null;
  inserts: number | null;
  warnings: number | null;
  /** Calls made for the person in this run. */
  attempts: number;
  /** A call may have happened twice: its connection broke, or its process ended, before an answer to it was kept. */
  repeated: boolean;
  /** `hash` of the last answer. */
  hash: string | null;
  /** `response_time` of the last answer; its unit is not documented. */
  responseTime: number | null;
  httpStatus: number | null;
  /** Why the outcome is what it is; empty when there is nothing to say. */
  reason: string;
}
