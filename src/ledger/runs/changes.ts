// What has changed of runs, for those who watch.
import { sql } from 'kysely';
import type { RunStatus } from '../../core/run/run-states.ts';
import type { Database } from '../database/database.ts';

/** A run that is open, or whose state has changed a moment ago. */
export interface WatchedRun {
  run: string;
  source: string;
  status: RunStatus;
  /** How often its state has changed. */
  changes: number;
  /** When a delivery of it last ended; null if none has. */
  lastEndedAt: Date | null;
}

/** Runs that have not ended, and those that ended within the last ms. Quick, also while a large run is delivered. */
export async function watchRuns(db: Database, withinMs: number): Promise<WatchedRun[]> {
  const { rows } = await sql<WatchedRun>`
    select r.id as run, r.source, r.status, r.state_changes as changes, (
      select d.ended_at from deliveries d where d.run_id = r.id and d.state = 'done' order by d.ended_at desc limit 1
    ) as "lastEndedAt"
    from runs r
    where r.status in ('planning', 'held', 'delivering', 'paused', 'halted')
      or r.state_since > clock_timestamp() - ${withinMs} * interval '1 millisecond'
    order by r.number desc limit 200`.execute(db);
  return rows;
}
