// The type of what `inspect` finds in a roster.
import type { Census } from '../../core/inspect/row-census.ts';
import type { RosterForm } from '../../core/rows/row.ts';

export interface Inspection {
  source: string;
  form: RosterForm;
  sizeBytes: number;
  rows: number;
  columns: {
    name: string;
    filled: number;
    /** Masked. */
    examples: string[];
    /** What it becomes: `firstname`, `groups`. */
    uses: string[];
  }[];
  fields: { field: string; column: string; why: string }[];
  /** What would become of the rows; absent if the mapping cannot be settled. */
  census?: Census;
  problem?: string;
  remarks: string[];
  /** What the preset says about its system. */
  preset?: { name: string; title: string; email: string; active: string; leavesOut: readonly string[] };
  /** Lines to paste below the source's name in a config. */
  block: string[];
}
