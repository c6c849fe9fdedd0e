// What would become of the rows of a roster, counted: `rows = members + merged + filtered + rejects`.
import { z } from 'zod';
import { each } from '../../data/described.ts';

const count = z.int().min(0);

const Tally = z.object({ what: z.string(), count, file: z.string(), line: z.int() });
export type Tally = z.output<typeof Tally>;

export const Census = z.object({
  ...each(count, 'rows', 'members', 'merged'),
  ...each(z.array(Tally), 'filtered', 'rejects'),
  groups: z.array(z.object({ group: z.string(), people: count })),
  /** False where there are too many people to find those who stand on several rows. */
  isMergedCounted: z.boolean(),
});
export type Census = z.output<typeof Census>;
