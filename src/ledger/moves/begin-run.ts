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
  // Asked again after the first answer was lost, it is there already.
  await oneAtATime(
    sql`
      insert into runs (${columns}, status, status_reason) values (${valuesOf(run)}, 'planning', '')
      on conflict (id) do nothing`.execute(db),
  );
}

const columns = sql`id, source, service, trigger, worker, settings, beside, begun_by`;

function valuesOf({ id, source, service, trigger, worker, settings, beside = false, begunBy = null }: NewRun) {
  return sql.join([id, source, service, trigger, worker, toJson(settings), beside, begunBy]);
}

/** Ends a run that could not be planned, whether or not anything is left of it: nothing of it was sent. */
export async function failRun(db: Database, run: NewRun, reason: string): Promise<void> {
  await sql`
    insert into runs (${columns}, status, status_reason, stopped_by, finished_at)
    values (${valuesOf(run)}, 'failed', ${reason}, 'service', clock_timestamp())
    on conflict (id) do update set (status, status_reason, stopped_by, finished_at)
      = (excluded.status, excluded.status_reason, excluded.stopped_by, excluded.finished_at)
      where runs.status = 'planning'`.execute(db);
}
