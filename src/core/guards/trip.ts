// What a guard stopped, of all or part of a plan, and the hold that it makes.
import type { NextStep } from '../next-step.ts';
import type { GuardName } from './guard-settings.ts';
import type { Action, SentAction } from '../run/run.ts';

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
