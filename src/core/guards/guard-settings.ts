// Every guard with its settings and their schema, and the arithmetic of when one trips.
import { z } from 'zod';
import { count } from '../settings/values.ts';

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

/**
 * Every guard that a setting names, with the limits of a source that sets none. They are chosen so that a usual night of
 * a company (a few joiners, movers and leavers in a hundred) never trips one, and the ten worst days of docs/approvals.md each do.
 */
export const defaultGuards = {
  departed: { percent: 10, count: 10 },
  changed: { percent: 50, count: 50 },
  new: { percent: 50, count: 50 },
  invites: { percent: 10, count: 200 },
  /** More than `max` trip it whatever the share. */
  removals: { percent: 20, count: 20, max: 200 },
  rejects: { percent: 20, count: 10 },
  newGroups: { count: 10 },
  group: { percent: 30, count: 20 },
  shrink: { percent: 20, count: 10 },
  fill: { points: 20, count: 10 },
  domains: { points: 20, count: 10 },
  wrongFile: { percent: 50, count: 10 },
} satisfies Record<string, Partial<Share & Points & { max: number }>>;

/** Guards of which the settings say nothing, or something elsewhere. */
const otherGuards = [
  'addresses',
  'brought',
  'everybody',
  'maxInvitations',
  'paused',
  'replaced',
  'time',
  'withheld',
] as const;

type Limits = typeof defaultGuards;
export type GuardName = keyof Limits | (typeof otherGuards)[number];
export const guardNames: readonly GuardName[] = [...(Object.keys(defaultGuards) as (keyof Limits)[]), ...otherGuards];

/** When each guard trips. `off` is the only way to be without one. */
export type GuardSettings = { [Name in keyof Limits]: Limits[Name] | 'off' };

export function exceeds({ percent, count }: Share, part: number, whole: number): boolean {
  return part > count && part * 100 > percent * whole;
}

/** Fractions such as 5/7 are not exact: 5/7 - 3/7 of 7 rows would be more than 2 rows. */
const inexact = 1e-9;

/** Whether shares (0 to 1) are further apart than a guard lets pass, for a number of people or rows. */
export function isFarFrom({ points, count }: Points, apart: number, of: number): boolean {
  return apart * 100 > points + inexact && apart * of > count + inexact;
}

const most = 1_000_000_000;

const forms: Readonly<Record<string, string>> = { percent: 'percent', points: 'percentage points' };

/** A guard, or `off`; without its keys each has its default. */
function guardSchema(limits: Readonly<Record<string, number>>) {
  const keys = Object.entries(limits);
  const example = `{ ${keys.map(([key, limit]) => `${key}: ${limit}`).join(', ')} }`;
  const shape = keys.map(([key, limit]) => {
    const form = forms[key];
    const schema = form === undefined ? count(0, most) : count(0, 100).meta({ form });
    return [key, schema.prefault(limit)];
  });
  return z
    .union([z.literal('off'), z.strictObject(Object.fromEntries(shape))], {
      error: `must be settings like ${example}, or off`,
    })
    .prefault(limits)
    .meta({ form: 'rule, or `off`' });
}

const shape = Object.fromEntries(
  Object.entries(defaultGuards).map(([name, limits]) => [name, guardSchema(limits)]),
) as unknown;

export const Guards = z
  .strictObject(shape as { [Name in keyof GuardSettings]: z.ZodType<GuardSettings[Name]> }, {
    error: 'must be guards like { shrink: { percent: 20 } }',
  })
  .exactOptional()
  .meta({ form: 'guards' });
