// Plan: the deliveries of a run that is released, or held.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Which members `m` of a run are sent, which of them guards stop, and the stage of a canary release of each. */
export interface Planned {
  isSent: RawBuilder<boolean>;
  isStopped: RawBuilder<boolean>;
  stage: RawBuilder<number>;
}

/** Writes the deliveries of a run, in the order of its roster; those that failed before go last. Returns how many. */
export async function planDeliveries(
  db: Database,
  runId: string,
  { isSent, isStopped, stage }: Planned,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into deliveries (run_id, service, person_key, action, state, stage, refusals)
    select m.run_id, r.service, m.person_key, m.action,
      case when m.stopped then 'held' when m.stage > 0 then 'waiting' else 'due' end, case when m.stopped then 0 else m.stage end,
      coalesce(p.refusals, 0)
    from (
      select m.*, ${isStopped} as stopped, ${stage} as stage from members m
      where m.run_id = ${runId} and ${isSent}
    ) m join runs r on r.id = m.run_id
    left join people p on m.action = 'again' and p.service = r.service and p.source = r.source and p.person_key = m.person_key
    order by m.action = 'again', (m.lines->0)::integer`.execute(db);
  return Number(numAffectedRows);
}
