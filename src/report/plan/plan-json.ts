// Builds the JSON of `plan --json`.
import { defined } from '../../core/defined.ts';
import type { Content } from '../documents/documents.ts';
import type { RunPlan } from '../../core/run/run.ts';
import type { Trip } from '../../core/run/trip.ts';

export function planJson(
  { plan, trips }: { plan: RunPlan; trips: readonly Trip[] },
  held: number,
): Content<'plan'>['planned'] {
  const { counts: _, estimate, ...rest } = plan;
  return {
    ...rest,
    ...defined({ estimate }),
    held,
    guards: trips.map(({ guard, message }) => ({ guard, message })),
  };
}
