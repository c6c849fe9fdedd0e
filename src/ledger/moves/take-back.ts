// Take back: what processes had in their hands that are dead.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { stopClocks } from '../runs/runs.ts';
import { supersedeOvertaken } from './supersede.ts';

/** What was taken back: deliveries, and how many of them may have been called. */
export interface TakenBack {
  taken: number;
  repeated: number;
}

/**
 * Takes back what processes had in their hands that gave no sign of life for `deadAfterMs`: due again at once, but a
 * call that was in flight only once the service's timeout has passed since it began; until then the person's lane
 * stays closed (R3). Such a call is marked as repeated (R7).
 * A call that seems to begin in the future began by a clock that was wrong: its timeout is counted from now.
 * @param worker the one who asks, whose own are never taken; it judges others only once it has itself given signs of life
 *   for as long without a gap: when the database was away, everybody seems dead until they have had time to say otherwise
 * @param deadAfterMs 0 for the one process that is alone
 */
export async function takeBackFromTheDead(
  db: Database,
  { worker, timeoutMs, deadAfterMs }: { worker: string; timeoutMs: number; deadAfterMs: number },
): Promise<TakenBack> {
  await sql`
    update in_hand set called_at = clock_timestamp()
    where worker <> ${worker} and called_at > clock_timestamp() + interval '1 minute'`.execute(db);
  const dead = sql`clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'`;
  const isOfTheDead = sql<boolean>`(
    h.worker <> ${worker}
    and (h.called_at is null or h.called_at < clock_timestamp() - ${timeoutMs} * interval '1 millisecond')
    and not exists (select 1 from workers w where w.id = h.worker and w.seen_at > ${dead})
    and (${deadAfterMs}::double precision = 0 or exists (
      select 1 from workers w where w.id = ${worker} and w.seen_at > ${dead} and w.alive_since < ${dead})))`;
  const { rows } = await sql<{ id: number; called: boolean }>`
    with locked as materialized (
      select dead.*
      from (select service, person_key, delivery_id from in_hand h where ${isOfTheDead} order by delivery_id) dead
      left join lateral (select id from deliveries where id = dead.delivery_id for no key update) d on true
    ), left_behind as (
      delete from in_hand h using locked l
      where h.service = l.service and h.person_key = l.person_key and h.delivery_id = l.delivery_id and ${isOfTheDead}
      returning h.delivery_id as id, h.called_at is not null as called
    )
    update deliveries d
    set state = 'due', feeds = d.feeds + 1, repeated = d.repeated or l.called, calls = d.calls + case when l.called then 1 else 0 end
    from left_behind l where d.id = l.id and d.state in ('due', 'waiting')
    returning d.id, l.called`.execute(db);
  await supersedeOvertaken(
    db,
    rows.map(({ id }) => id),
  );
  return { taken: rows.length, repeated: rows.filter(({ called }) => called).length };
}

/**
 * Starts over, for a process that is the only one to deliver: nothing is in the queue any more, and the clocks of
 * runs stand until somebody delivers them. Returns how many calls were in flight when that one ended.
 */
export async function beginAlone(db: Database): Promise<number> {
  await stopClocks(db);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from in_hand where called_at is not null`.execute(db);
  return rows[0]?.count ?? 0;
}
