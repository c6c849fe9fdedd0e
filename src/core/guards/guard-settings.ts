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

/** A guard whose limits the settings of a source say. */
interface Guard {
  limits: Readonly<Partial<Share & Points & { max: number }>>;
  /** What it looks at. */
  description: string;
  /** What `percent` is of, or how `points` go on. */
  of?: string;
  /** What `count` and `max` count. */
  what: string;
}

/**
 * Every guard that a setting names. The limits are those of a source that sets none. They are chosen so that a usual night of
 * a company (a few joiners, movers and leavers in a hundred) never trips one, and the ten worst days of docs/approvals.md each do.
 */
export const guards = {
  departed: {
    limits: { percent: 10, count: 10 },
    description: 'People who are no longer in a complete roster.',
    of: 'the usual people',
    what: 'people',
  },
  changed: {
    limits: { percent: 50, count: 50 },
    description: 'People who would get something different from before.',
    of: 'the people',
    what: 'people',
  },
  new: {
    limits: { percent: 50, count: 50 },
    description: 'People who were never given anything before.',
    of: 'the people',
    what: 'people',
  },
  invites: {
    limits: { percent: 10, count: 200 },
    description:
      'People who may be invited by e-mail. An unattended first run of a source (a schedule, an event, `sync` ' +
      'without a terminal) is held whatever their number.',
    of: 'the people',
    what: 'people',
  },
  removals: {
    /** More than `max` trip it whatever the share. */
    limits: { percent: 20, count: 20, max: 200 },
    description:
      'Memberships given by roster-sync that `forceSync` would remove. A run for which `forceSync` was switched on ' +
      'since the last one, without a flag that asks for it, is held whatever their number.',
    of: 'the usual memberships',
    what: 'memberships',
  },
  rejects: {
    limits: { percent: 20, count: 10 },
    description: 'Rows that cannot be used, beyond the share that usually cannot.',
    of: 'the rows',
    what: 'rows',
  },
  newGroups: {
    limits: { count: 10 },
    description: 'Groups that nobody was ever put into at this service.',
    what: 'groups',
  },
  group: {
    limits: { percent: 30, count: 20 },
    description: 'People whom one group loses or gains, even under a different name.',
    of: 'the group as it was in the last roster',
    what: 'people',
  },
  shrink: {
    limits: { percent: 20, count: 10 },
    description: 'Rows or people missing from a complete roster, compared with the median of the last five.',
    of: 'the usual rows or people',
    what: 'rows or people',
  },
  fill: {
    limits: { points: 20, count: 10 },
    description: 'Empty cells in a column that gives a field of members.',
    of: 'The share of cells that are filled dropped',
    what: 'rows',
  },
  domains: {
    limits: { points: 20, count: 10 },
    description: 'The mix of e-mail domains.',
    of: 'The mix shifted',
    what: 'addresses',
  },
  wrongFile: {
    limits: { percent: 50, count: 10 },
    description: 'People of another source, or hardly anybody of this one.',
    of: 'the people',
    what: 'people',
  },
} satisfies Record<string, Guard>;

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

type Limits = { [Name in keyof typeof guards]: (typeof guards)[Name]['limits'] };
export type GuardName = keyof Limits | (typeof otherGuards)[number];
export const guardNames: readonly GuardName[] = [...(Object.keys(guards) as (keyof Limits)[]), ...otherGuards];

/** When each guard trips. `off` is the only way to be without one. */
export type GuardSettings = { [Name in keyof Limits]: Limits[Name] | 'off' };

export const defaultGuards = Object.fromEntries(
  Object.entries(guards).map(([name, { limits }]) => [name, limits]),
) as Limits;

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

function schemaOf(key: string, fallback: number, { of, what }: Guard) {
  switch (key) {
    case 'percent':
      return count(0, 100)
        .prefault(fallback)
        .meta({ description: `More than this percentage of ${of} …`, form: 'percent' });
    case 'points':
      return count(0, 100)
        .prefault(fallback)
        .meta({ description: `${of} by more than this number of percentage points …`, form: 'percentage points' });
    case 'max':
      return count(0, most).prefault(fallback).describe(`Or more than this number of ${what}, whatever their share.`);
    default:
      return count(0, most)
        .prefault(fallback)
        .describe(`${of === undefined ? 'More' : '… and more'} than this number of ${what}.`);
  }
}

/** A guard, or `off`; without its keys each has its default. */
function guardSchema(guard: Guard) {
  const limits = Object.entries<number>(guard.limits);
  const example = `{ ${limits.map(([key, limit]) => `${key}: ${limit}`).join(', ')} }`;
  const shape = Object.fromEntries(limits.map(([key, limit]) => [key, schemaOf(key, limit, guard)]));
  return z
    .union([z.literal('off'), z.strictObject(shape)], { error: `must be settings like ${example}, or off` })
    .prefault(guard.limits)
    .meta({ description: `${guard.description} \`off\` switches this guard off.`, form: 'rule, or `off`' });
}

const shape = Object.fromEntries(Object.entries(guards).map(([name, guard]) => [name, guardSchema(guard)])) as unknown;

export const Guards = z
  .strictObject(shape as { [Name in keyof GuardSettings]: z.ZodType<GuardSettings[Name]> }, {
    error: 'must be guards like { shrink: { percent: 20 } }',
  })
  .exactOptional()
  .meta({ form: 'guards' });
