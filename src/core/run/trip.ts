// The type of a trip: a guard that stopped all or part of a plan.
import type { Action } from './run.ts';

/** What of a plan a guard stops: everything, or only deliveries of these actions, with these groups, or of these people. */
export type TripScope =
  | 'all'
  | { actions: Action[] }
  | { groups: string[] }
  /** Keys of persons, only where they are few. */
  | { people: string[] };

export const guardNames = [
  ...([
    'departed',
    'changed',
    'new',
    'invites',
    'removals',
    'rejects',
    'newGroups',
    'group',
    'shrink',
    'fill',
  ] as const),
  ...(['domains', 'wrongFile', 'addresses', 'brought', 'everybody', 'maxInvitations', 'paused', 'time'] as const),
] as const;

/** A guard that stopped a plan, or a part of one, until a person approves it. */
export interface Trip {
  guard: (typeof guardNames)[number];
  scope: TripScope;
  /** What it saw, what is usual, and where to look: sentences for a person. */
  message: string;
  /** The same without any text of the roster, for notifications; absent if the message has none. */
  brief?: string;
}
