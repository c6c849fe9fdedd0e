// The settings of every guard, and the arithmetic of when one trips.

/** A guard trips when both are exceeded: the count allows for small rosters, the share for large ones. */
export interface Share {
  /** Of what the guard looks at, in percent. */
  percent: number;
  count: number;
}

/** As `Share`, for what is itself a share: percentage points from the usual, and a number of people or rows. */
export interface Points {
  points: number;
  count: number;
}

/** When each guard trips. `off` is the only way to be without one. */
export interface GuardSettings {
  departed: Share | 'off';
  changed: Share | 'off';
  new: Share | 'off';
  invites: Share | 'off';
  /** More than `max` trip it whatever the share. */
  removals: (Share & { max: number }) | 'off';
  rejects: Share | 'off';
  newGroups: { count: number } | 'off';
  group: Share | 'off';
  shrink: Share | 'off';
  fill: Points | 'off';
  domains: Points | 'off';
  wrongFile: Share | 'off';
}

export type GuardName = keyof GuardSettings;

/**
 * The guards of a source that sets none. Chosen so that a usual night of a company (a few joiners, movers and leavers in
 * a hundred) never trips one, and the ten worst days of docs/approvals.md each do.
 */
export const defaultGuards = {
  departed: { percent: 10, count: 10 },
  changed: { percent: 50, count: 50 },
  new: { percent: 50, count: 50 },
  invites: { percent: 10, count: 200 },
  removals: { percent: 20, count: 20, max: 200 },
  rejects: { percent: 20, count: 10 },
  newGroups: { count: 10 },
  group: { percent: 30, count: 20 },
  shrink: { percent: 20, count: 10 },
  fill: { points: 20, count: 10 },
  domains: { points: 20, count: 10 },
  wrongFile: { percent: 50, count: 10 },
} as const satisfies GuardSettings;

export function exceeds({ percent, count }: Share, part: number, whole: number): boolean {
  return part > count && part * 100 > percent * whole;
}

/** Fractions such as 5/7 are not exact: 5/7 - 3/7 of 7 rows would be more than 2 rows. */
const inexact = 1e-9;

/** Whether shares (0 to 1) are further apart than a guard lets pass, for a number of people or rows. */
export function isFarFrom({ points, count }: Points, apart: number, of: number): boolean {
  return apart * 100 > points + inexact && apart * of > count + inexact;
}
