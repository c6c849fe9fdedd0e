// The type of a trip: a guard that stopped all or part of a plan.
import { defaultGuards } from '../guards/guard-settings.ts';
import type { Action } from './run.ts';

/** What of a plan a guard stops: everything, or only deliveries of these actions, with these groups, or of these people. */
export type TripScope =
  | 'all'
  | { actions: Action[] }
  | { groups: string[] }
  /** Keys of persons, only where they are few. */
  | { people: string[] };

/** Guards that no setting of `guards` adjusts; `everybody` is answered by the setting of that name. */
const otherGuards = ['brought', 'everybody', 'maxInvitations', 'paused', 'time'] as const;

type TrippedGuard = keyof typeof defaultGuards | (typeof otherGuards)[number];

/** The names of all guards. */
export const guardNames: readonly TrippedGuard[] = [
  ...(Object.keys(defaultGuards) as (keyof typeof defaultGuards)[]),
  ...otherGuards,
];

/** A guard that stopped a plan, or a part of one, until a person approves it. */
export interface Trip {
  /** The name of the guard, as in the settings. */
  guard: TrippedGuard;
  scope: TripScope;
  /** What it saw, what is usual, and where to look: sentences for a person. */
  message: string;
  /** The same without any text of the roster, for notifications; absent if the message has none. */
  brief?: string;
}
