// The schema of `guards`: the limits beyond which a run waits for an approval.
import { z } from 'zod';
import { guards, type GuardSettings } from './guard-settings.ts';
import { count } from '../settings/values.ts';

type Guard = (typeof guards)[keyof typeof guards] & { of?: string };

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
  .meta({
    description:
      'When a run waits for `roster-sync approve` instead of being sent: each guard compares the plan with what is usual for ' +
      'this source. Shares and counts must both be exceeded. Guards that compare do nothing in the first run of a source.',
    form: 'guards',
    example: { shrink: { percent: 30 }, fill: 'off' },
  });
