// Counts how the calls of a run have ended, for the brake.
import { sql } from 'kysely';
import type { Tally } from '../../core/call/brake.ts';
import type { AcceptedBefore } from '../../core/call/retry.ts';
import type { Database } from '../database/database.ts';

export async function acceptedBefore(db: Database, runId: string): Promise<AcceptedBefore> {
  const isAccepted = sql`select 1 from receipts where receipts.run_id = r.id and receipts.kind = 'accepted'`;
  const { rows } = await sql<{ by: AcceptedBefore }>`
    select case
      when exists (
        select 1 from (
          select id from runs r where r.source = me.source and r.service = me.service and r.number <= me.number
          order by r.number desc limit 2
        ) r where exists (${isAccepted})
      ) then 'run'
      when exists (select 1 from runs r where r.service = me.service and exists (${isAccepted})) then 'service'
      else 'nothing'
    end as by
    from runs me where me.id = ${runId}`.execute(db);
  return rows[0]?.by ?? 'nothing';
}

/** What the brake looks at; see `Tally`. */
export async function tallyOf(db: Database, runId: string): Promise<Tally> {
  const { rows } = await sql<{ newest: Tally['newest'] | null; ended: number; failed: number; unrecognised: number }>`
    with ended as (
      select case when d.outcome = 'unknown' and d.answer_kind in ('rejected', 'refused', 'broken', 'not-sent')
          then 'failed' else d.outcome end as outcome, d.answer_kind, d.answer_status, d.ended_at, d.id from deliveries d join runs r on r.id = d.run_id
      where d.run_id = ${runId} and d.state = 'done' and d.action <> 'again' and d.ended_at >= r.delivering_since
        and d.outcome <> 'superseded'
    ), newest as (select * from ended order by ended_at desc, id desc limit 10),
    first as (select * from ended order by ended_at, id limit 50)
    select (select jsonb_agg(jsonb_build_object('outcome', outcome, 'kind', answer_kind, 'status', answer_status) order by ended_at desc, id desc) from newest) as newest,
      (select count(*) from first) as ended, (select count(*) from first where outcome = 'failed') as failed,
      (select count(*) from ended
        where outcome = 'unknown' and answer_kind = 'unrecognised') as unrecognised`.execute(db);
  const { newest, ended, failed, unrecognised } = rows[0] ?? { newest: [], ended: 0, failed: 0, unrecognised: 0 };
  return { newest: newest ?? [], first: { ended, failed }, unrecognised };
}
