// The type of a trip (a guard that stopped all or part of a plan), and the parts somebody can approve.
import type { Action } from '../run/run.ts';

/** What of a plan a guard stops: everything, or only deliveries of these actions, with these groups, or of these people. */
export type TripScope =
  | 'all'
  | { actions: Action[] }
  | { groups: string[] }
  /** Keys of persons, only where they are few. */
  | { people: string[] };

/** A guard that stopped a plan, or a part of one, until a person approves it. */
export interface Trip {
  /** The name of the guard, as in the settings. */
  guard: string;
  scope: TripScope;
  /** What it saw, what is usual, and where to look: sentences for a person. */
  message: string;
  /** The same without any text of the roster, for notifications; absent if the message has none. */
  brief?: string;
}

/** What of a held run somebody approves; everything where nothing is named. */
export interface ApprovalScope {
  only?: Action[];
  exceptGroups?: string[];
}

/** Whether two approvals name the same part of a run; of nothing named, which is everything, there is no part. */
export function isSamePart(one: ApprovalScope, other: ApprovalScope): boolean {
  const isPart = (one.only?.length ?? 0) + (one.exceptGroups?.length ?? 0) > 0;
  return isPart && isSameSet(one.only, other.only) && isSameSet(one.exceptGroups, other.exceptGroups);
}

/** Whether the same guards stop the same of two plans, in whatever words. */
export function isSameHold(one: readonly Trip[], other: readonly Trip[]): boolean {
  const told = (trips: readonly Trip[]): string[] => trips.map(({ guard, scope }) => JSON.stringify([guard, scope]));
  return isSameSet(told(one), told(other));
}

function isSameSet(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.every((each) => other.includes(each)) && other.every((each) => one.includes(each));
}

/** The time, ms, that a hold waits for an approval before it is cancelled. */
export const holdForMs = 72 * 60 * 60 * 1000;

/** Why a run is held, in words. */
export function heldReason(deliveries: number): string {
  if (deliveries === 0) return 'nobody would be sent, and the roster waits for an approval';
  return deliveries === 1 ? '1 delivery waits for an approval' : `${deliveries} deliveries wait for an approval`;
}
