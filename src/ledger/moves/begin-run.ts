// Begins a run, in `planning` or, where its roster cannot be read at all, in `failed`.
import { sql } from 'kysely';
import type { RunSettings, Trigger } from '../../core/run/run.ts';
import type { Database } from '../database/database.ts';
import { toJson } from '../database/json.ts';
import { oneAtATime } from './move-run.ts';

export interface NewRun {
  id: string;
  source: string;
  service: string;
  trigger: Trigger;
  settings: RunSettings;
  /** The process that plans it. */
  worker: string;
  /** It holds only a few people, and may plan and deliver at the same time as another run of its source. */
  beside?: boolean;
  /** Who brought its roster or started it, as the audit names them; null where a schedule or an event did. */
  begunBy?: string | null;
}

/**
 * Begins a run in `planning`.
 * @throws BusyError while another run of its source plans or delivers, in any process
 */
export async function createRun(db: Database, run: NewRun): Promise<void> {
  const values = { ...rowOf(run), status: 'planning' as const, status_reason: '' };
  // Asked again after the first answer was lost, it is there already.
  const inserting = db
    .insertInto('runs')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doNothing());
  await oneAtATime(inserting.execute());
}

function rowOf({ begunBy = null, settings, ...run }: NewRun) {
  return { ...run, settings: toJson(settings), begun_by: begunBy };
}

/** Ends a run that could not be planned, whether or not anything is left of it: nothing of it was sent. */
export async function failRun(db: Database, run: NewRun, reason: string): Promise<void> {
  const failed = {
    status: 'failed' as const,
    status_reason: reason,
    stopped_by: 'service' as const,
    finished_at: sql<Date>`clock_timestamp()`,
  };
  await db
    .insertInto('runs')
    .values({ ...rowOf(run), ...failed })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(failed).where('runs.status', '=', 'planning'))
    .execute();
}
