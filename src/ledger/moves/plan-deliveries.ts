// Plan: the deliveries of a run that is released, or held.
import { type RawBuilder, sql } from 'kysely';
import { type Database, inOneSession, rowsOf, toJson } from '../database/database.ts';
import { rowsInRange } from '../planning/key-ranges.ts';

/** Which members `m` of a run are sent, which of them guards stop, and the stage of a canary release of each. */
export interface Planned {
  isSent: RawBuilder<boolean>;
  isStopped: RawBuilder<boolean>;
  stage: RawBuilder<number>;
}

/**
 * Writes the deliveries of a run in `planning`, in the order of its roster; those that failed before go last. Others get their turn
 * after each 10,000, and until the run is released nothing is done with them. Asked again, it writes what is missing. A call to
 * somebody whose last outcome is unknown repeats what may have happened (R7).
 */
export async function planDeliveries(db: Database, runId: string, planned: Planned): Promise<void> {
  await inOneSession(db, async (session) => {
    const cursor = sql.id(`deliveries of ${runId}`);
    await sql`declare ${cursor} no scroll cursor with hold for ${inOrder(runId, planned)}`.execute(session);
    try {
      for (let isMore = true; isMore;) {
        const rows = await rowsOf<object>(session)`fetch ${sql.lit(rowsInRange)} from ${cursor}`;
        await insertDeliveries(session, runId, rows);
        isMore = rows.length === rowsInRange;
      }
    } finally {
      await sql`close ${cursor}`.execute(session);
    }
  });
}

const inOrder = (runId: string, { isSent, isStopped, stage }: Planned) => sql`
  select m.person_key, m.action, case when m.stopped then 'held' when m.stage > 0 then 'waiting' else 'due' end as state,
    case when m.stopped then 0 else m.stage end as stage, coalesce(p.refusals, 0) as refusals,
    m.action in ('new', 'again') and (exists (
      select 1 from people o where o.service = r.service and o.person_key = m.person_key and o.last_outcome = 'unknown')
    or m.person_key in (
      select d.person_key from deliveries d join runs o on o.id = d.run_id
      where d.repeated and d.outcome is null and d.service = (select service from runs where id = ${runId})
        and o.finished_at is not null)) as repeated
  from (
    select m.*, ${isStopped} as stopped, ${stage} as stage from members m
    where m.run_id = ${runId} and ${isSent}
  ) m join runs r on r.id = m.run_id and r.status = 'planning'
  left join people p on m.action = 'again' and p.service = r.service and p.source = r.source and p.person_key = m.person_key
  order by m.action = 'again', (m.lines->0)::integer`;

async function insertDeliveries(db: Database, runId: string, rows: readonly object[]): Promise<void> {
  await sql`
    insert into deliveries (run_id, service, person_key, action, state, stage, refusals, repeated)
    select r.id, r.service, d.person_key, d.action, d.state, d.stage, d.refusals, d.repeated
    from runs r cross join jsonb_to_recordset(${toJson(rows)}::jsonb)
      as d (person_key text, action text, state text, stage smallint, refusals integer, repeated boolean)
    where r.id = ${runId} and r.status = 'planning'
    on conflict (run_id, person_key) do nothing`.execute(db);
}
