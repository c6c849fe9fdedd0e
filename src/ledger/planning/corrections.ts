// Keeps which cells of an uploaded file somebody changed before a run was planned.
import type { z } from 'zod';
import type { Corrections } from '../../acts/shapes/run.ts';
import type { MadeCorrection } from '../../core/rows/corrections.ts';
import { type Database, inserting, rowsOf } from '../database/database.ts';

/** Keeps those that changed a cell; `person` is whose row it is. */
export async function keepCorrections(
  db: Database,
  runId: string,
  corrections: readonly (Omit<MadeCorrection, 'row'> & { person?: string })[],
): Promise<void> {
  const made = corrections.filter(({ cells }) => cells > 0);
  if (made.length === 0) return;
  const rows = made.map(
    ({ file = null, line = null, column: column_name, person: person_key = null, ...each }, place) => {
      return { run_id: runId, place, file, line, column_name, person_key, ...each };
    },
  );
  await inserting('corrections', rows).execute(db);
}

/** In the order in which they were made. */
export async function correctionsOf(db: Database, runId: string): Promise<z.output<typeof Corrections>['corrections']> {
  return rowsOf<z.output<typeof Corrections>['corrections'][number]>(db)`
    select coalesce(r.begun_by, '') as by, c.file, c.line, c.column_name as column, c.was, c.value, c.cells
    from corrections c join runs r on r.id = c.run_id
    where c.run_id = ${runId} order by c.place`;
}
