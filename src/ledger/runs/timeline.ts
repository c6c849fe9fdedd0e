// Counts how the deliveries of a run ended over time.
import { type RawBuilder, sql } from 'kysely';
import type { Outcome } from '../../core/call/outcome.ts';
import { sliceFor } from '../../core/run/timeline.ts';
import type { Database } from '../database/database.ts';

/** Outcomes of one slice of time; slices in which nothing ended are absent. */
export interface Slice {
  /** When it begins. */
  at: Date;
  /** Deliveries that ended in it. */
  outcome: Partial<Record<Outcome, number>>;
  /** Calls without an answer that counts: not sent, broken off, refused for a while. */
  unanswered: number;
}

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
  const sliceOf = (column: RawBuilder<unknown>): RawBuilder<Date> =>
    sql`date_bin(${`${sliceMs} milliseconds`}::interval, ${column}, to_timestamp(0))`;
  const { rows } = await sql<{ at: Date; outcome: Outcome | null; count: number }>`
    select ${sliceOf(sql`ended_at`)} as at, outcome, count(*) as count
    from deliveries
    where run_id = ${runId} and state = 'done' and outcome in ('succeeded', 'partial', 'failed', 'unknown')
    group by 1, 2
    union all
    select ${sliceOf(sql`answered_at`)}, null, count(*) from receipts
    where run_id = ${runId} and notable and kind in ('not-sent', 'broken', 'may-have-happened', 'throttled')
      and answered_at between ${first}::timestamptz and ${last}::timestamptz
    group by 1 order by 1`.execute(db);
  const slices = new Map<number, Slice>();
  for (const { at, outcome, count } of rows) {
    const slice = slices.get(at.getTime()) ?? { at, outcome: {}, unanswered: 0 };
    if (outcome === null) slice.unanswered = count;
    else slice.outcome[outcome] = count;
    slices.set(at.getTime(), slice);
  }
  return { sliceMs, slices: [...slices.values()] };
}
