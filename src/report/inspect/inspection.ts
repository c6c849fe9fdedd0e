// The type of what `inspect` finds in a roster.
import type { z } from 'zod';
import type { Census } from '../../core/inspect/row-census.ts';
import type { RosterForm } from '../../core/rows/row.ts';
import type { InspectDocument } from '../../acts/shapes/roster.ts';

/** What the document says, before it is written. */
export type Inspection = Omit<z.output<typeof InspectDocument>, 'form' | 'census' | 'preset'> & {
  form: RosterForm;
  /** What would become of the rows; absent if the mapping cannot be settled. */
  census?: Census;
  /** What the preset says about its system. */
  preset?: { name: string; title: string; email: string; active: string; leavesOut: readonly string[] };
};
