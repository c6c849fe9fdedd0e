// How fast a run is delivered at this moment, and whether the service answers.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** How a run goes at this moment, by the clock of the ledger. */
export interface RunPace {
  /** Deliveries that ended within the time asked about, for each second of it in which the run was delivered. */
  perSecond: number;
  /** Since when no call has got an answer that counts; null while the service answers. */
  silentSince: Date | null;
  now: Date;
}

/** With fewer calls in a row without an answer nobody speaks of an outage. */
const callsOfAnOutage = 5;

/** How a run goes, judged by the last so many ms. */
export async function paceOfRun(db: Database, runId: string, withinMs: number): Promise<RunPace> {
  const { rows } = await sql<{ ended: number; ms: number; silent: number; silentSince: Date | null; now: Date }>`
    with me as (
      select least(${withinMs}, extract(epoch from clock_timestamp() - delivering_since) * 1000)::double precision as ms,
        delivering_since as since
      from runs where id = ${runId}
    ), last as (
      select ended_at from deliveries where run_id = ${runId} and state = 'done' order by ended_at desc limit 1
    ), silent as (
      select called_at from receipts
      where run_id = ${runId} and notable and kind in ('not-sent', 'broken', 'may-have-happened', 'throttled')
        and answered_at > coalesce((select ended_at from last), '-infinity') and answered_at > (select since from me)
    )
    select (select count(*) from deliveries where run_id = ${runId} and state = 'done'
        and ended_at > clock_timestamp() - me.ms * interval '1 millisecond') as ended,
      me.ms, (select count(*) from silent) as silent, (select min(called_at) from silent) as "silentSince",
      clock_timestamp() as now
    from me`.execute(db);
  const { ended = 0, ms = 0, silent = 0, silentSince = null, now = new Date() } = rows[0] ?? {};
  return {
    perSecond: ms > 0 ? (ended * 1000) / ms : 0,
    silentSince: silent >= callsOfAnOutage ? silentSince : null,
    now,
  };
}
