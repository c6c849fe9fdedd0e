// Counts how the deliveries of a run ended over time.
import { sql } from 'kysely';
import type { Outcome } from '../../core/call/outcome.ts';
import { sliceFor } from '../../core/run/timeline.ts';
import type { Database } from '../database/database.ts';

/** Outcomes of one slice of time; slices in which nothing ended are absent. */
export interface Slice {
  /** When it begins. */
  at: Date;
  /** Deliveries that ended in it. */
  outcome: Partial<Record<Outcome, number>>;
}

/** How the deliveries of a run ended over time. */
export interface Timeline {
  /** The length of each slice, ms; a round one. */
  sliceMs: number;
  /** The oldest first. */
  slices: Slice[];
}

/** How the deliveries of a run ended over time, in at most this many slices; those that were superseded or cancelled do not count. */
export async function timelineOf(db: Database, runId: string, mostSlices: number): Promise<Timeline> {
  const { rows: ends } = await sql<{ first: Date | null; last: Date | null }>`
    select min(ended_at) as first, max(ended_at) as last from deliveries
    where run_id = ${runId} and state = 'done'`.execute(db);
  const { first = null, last = null } = ends[0] ?? {};
  const sliceMs = sliceFor(first === null || last === null ? 0 : last.getTime() - first.getTime(), mostSlices);
  const { rows } = await sql<{ at: Date; outcome: Outcome; count: number }>`
    select to_timestamp(floor(extract(epoch from ended_at) * 1000 / ${sliceMs}) * ${sliceMs} / 1000) as at, outcome, count(*) as count
    from deliveries
    where run_id = ${runId} and state = 'done' and outcome in ('succeeded', 'partial', 'failed', 'unknown')
    group by 1, 2 order by 1`.execute(db);
  const slices = new Map<number, Slice>();
  for (const { at, outcome, count } of rows) {
    const slice = slices.get(at.getTime()) ?? { at, outcome: {} };
    slice.outcome[outcome] = count;
    slices.set(at.getTime(), slice);
  }
  return { sliceMs, slices: [...slices.values()] };
}
