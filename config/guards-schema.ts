// The schema of `guards`: the limits beyond which a run waits for an approval.
import { z } from 'zod';
import { defaultGuards, type GuardName } from '../src/core/guards/guard-settings.ts';
import { count } from './values.ts';

const percent = (fallback: number, of: string) =>
  count(0, 100)
    .prefault(fallback)
    .meta({ description: `More than this percentage of ${of} …`, form: 'percent' });

const points = (fallback: number, what: string) =>
  count(0, 100)
    .prefault(fallback)
    .meta({ description: `${what} by more than this number of percentage points …`, form: 'percentage points' });

const least = (fallback: number, what: string) =>
  count(0, 1_000_000_000).prefault(fallback).describe(`… and more than this number of ${what}.`);

/** A guard, or `off`; without its keys each has its default. */
const guard = <Shape extends z.ZodRawShape>(name: GuardName, description: string, shape: Shape) => {
  const keys = Object.keys(shape);
  const example = `{ ${keys.map((key) => `${key}: ${String((defaultGuards[name] as Record<string, number>)[key])}`).join(', ')} }`;
  return z
    .union([z.literal('off'), z.strictObject(shape)], { error: `must be settings like ${example}, or off` })
    .prefault(defaultGuards[name] as never)
    .meta({ description: `${description} \`off\` switches this guard off.`, form: 'rule, or `off`' });
};

const share = (
  name: 'departed' | 'changed' | 'new' | 'invites' | 'rejects' | 'group' | 'shrink' | 'wrongFile',
  description: string,
  [of, what]: [string, string],
) =>
  guard(name, description, {
    percent: percent(defaultGuards[name].percent, of),
    count: least(defaultGuards[name].count, what),
  });

export const Guards = z
  .strictObject(
    {
      departed: share('departed', 'People who are no longer in a complete roster.', ['the usual people', 'people']),
      changed: share('changed', 'People who would get something different from before.', ['the people', 'people']),
      new: share('new', 'People who were never given anything before.', ['the people', 'people']),
      invites: share(
        'invites',
        'People who may be invited by e-mail. An unattended first run of a source (a schedule, an event, `sync` ' +
          'without a terminal) is held whatever their number.',
        ['the people', 'people'],
      ),
      removals: guard(
        'removals',
        'Memberships given by roster-sync that `forceSync` would remove. A run for which `forceSync` was switched on ' +
          'since the last one, without a flag that asks for it, is held whatever their number.',
        {
          percent: percent(defaultGuards.removals.percent, 'the usual memberships'),
          count: least(defaultGuards.removals.count, 'memberships'),
          max: count(0, 1_000_000_000)
            .prefault(defaultGuards.removals.max)
            .describe('Or more than this number of memberships, whatever their share.'),
        },
      ),
      rejects: share('rejects', 'Rows that cannot be used, beyond the share that usually cannot.', [
        'the rows',
        'rows',
      ]),
      newGroups: guard('newGroups', 'Groups that nobody was ever put into at this service.', {
        count: count(0, 1_000_000_000)
          .prefault(defaultGuards.newGroups.count)
          .describe('More than this number of groups.'),
      }),
      group: share('group', 'People whom one group loses or gains, even under a different name.', [
        'the group as it was in the last roster',
        'people',
      ]),
      shrink: share(
        'shrink',
        'Rows or people missing from a complete roster, compared with the median of the last five.',
        ['the usual rows or people', 'rows or people'],
      ),
      fill: guard('fill', 'Empty cells in a column that gives a field of members.', {
        points: points(defaultGuards.fill.points, 'The share of cells that are filled dropped'),
        count: least(defaultGuards.fill.count, 'rows'),
      }),
      domains: guard('domains', 'The mix of e-mail domains.', {
        points: points(defaultGuards.domains.points, 'The mix shifted'),
        count: least(defaultGuards.domains.count, 'addresses'),
      }),
      wrongFile: share('wrongFile', 'People of another source, or hardly anybody of this one.', [
        'the people',
        'people',
      ]),
    },
    { error: 'must be guards like { shrink: { percent: 20 } }' },
  )
  .exactOptional()
  .meta({
    description:
      'When a run waits for `roster-sync approve` instead of being sent: each guard compares the plan with what is usual for ' +
      'this source. Shares and counts must both be exceeded. Guards that compare do nothing in the first run of a source.',
    form: 'guards',
  });
