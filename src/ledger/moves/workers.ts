// Which processes are alive, which of them feeds the queue, and what the dead had in hand.
import { type RawBuilder, sql } from 'kysely';
import { type Database, countOf, isThere, rowsOf } from '../database/database.ts';
import { stopClocks } from '../runs/runs.ts';
import { orReplaced } from './record.ts';
import { supersedeOvertaken } from './supersede.ts';

/**
 * A sign of life of a process. Signs of others from the future were given before the clock was set back: they count from
 * now, or a process that has died since would seem alive until the clock reaches them.
 * @param deadAfterMs the shortest time that counts as a gap: everybody has one after the database was away
 */
export async function beat(db: Database, worker: string, deadAfterMs: number): Promise<void> {
  await sql`
    with corrected as (
      update workers set seen_at = clock_timestamp(), alive_since = least(alive_since, clock_timestamp())
      where id <> ${worker} and seen_at > clock_timestamp() + ${deadAfterMs} * interval '1 millisecond'
    )
    insert into workers (id, seen_at, alive_since) values (${worker}, clock_timestamp(), clock_timestamp())
    on conflict (id) do update set seen_at = excluded.seen_at,
      alive_since = case
        when workers.seen_at < clock_timestamp() - ${deadAfterMs} * interval '1 millisecond' then excluded.alive_since
        else least(workers.alive_since, excluded.alive_since)
      end`.execute(db);
}

/** How many processes gave a sign of life within `deadAfterMs`, besides the one named. */
export async function countAlive(db: Database, deadAfterMs: number, besides = ''): Promise<number> {
  return countOf(db)`
    select count(*) as count from workers
    where id <> ${besides} and seen_at > clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'`;
}

/** Signs a process off: it has no deliveries any more. Processes that never signed off are forgotten after a day. */
export async function leave(db: Database, worker: string): Promise<void> {
  await sql`delete from leases where worker = ${worker}`.execute(db);
  await sql`delete from workers where id = ${worker} or seen_at < clock_timestamp() - interval '1 day'`.execute(db);
}

/**
 * Whether a process gave no sign of life for `deadAfterMs`; 0 where there can be no other one. Who asks again and again
 * (`worker`) judges others only once it has itself given signs of life for as long without a gap: when the database was away,
 * everybody seems dead until they have had time to say otherwise.
 */
export function isDead(
  process: RawBuilder<unknown>,
  { worker = null, deadAfterMs }: { worker?: string | null | undefined; deadAfterMs: number },
): RawBuilder<boolean> {
  const dead = sql`clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'`;
  return sql<boolean>`(not exists (select 1 from workers w where w.id = ${process} and w.seen_at > ${dead})
    and (${deadAfterMs}::double precision = 0 or ${worker}::text is null or exists (
      select 1 from workers w where w.id = ${worker} and w.seen_at > ${dead} and w.alive_since < ${dead})))`;
}

/** What one process at a time does: feed the queue of a service, or handle the events of a source. */
type Lease = `feed ${string}` | `events ${string}`;

/**
 * Gives a process a lease, for a time from now, or for that time again; unless another one has it. It is no lock of a session: a
 * machine that was stopped, or cut off silently, would hold a lock for hours. A lease that ends later than any can was taken
 * before the clock was set back: it has ended. Returns whether it has it.
 * @param alone whether there can be no other process
 */
export async function takeLease(
  db: Database,
  { name, worker, forMs, alone = false }: { name: Lease; worker: string; forMs: number; alone?: boolean },
) {
  return isThere(db)`
    insert into leases (name, worker, until)
    values (${name}, ${worker}, clock_timestamp() + ${forMs} * interval '1 millisecond')
    on conflict (name) do update set worker = excluded.worker, until = excluded.until
      where leases.worker = excluded.worker or leases.until < clock_timestamp() or ${alone}::boolean
        or leases.until > clock_timestamp() + ${forMs + 60_000} * interval '1 millisecond'
    returning 1`;
}

/** Lets others handle the events of all sources of this process, which ends. */
export async function leaveEvents(db: Database, worker: string): Promise<void> {
  await sql`delete from leases where worker = ${worker} and name like 'events %'`.execute(db);
}

/**
 * Takes back what processes had in their hands that gave no sign of life for `deadAfterMs`: due again at once, but a
 * call that was in flight only once the service's timeout has passed since it began; until then the person's lane
 * stays closed (R3). Such a call is marked as repeated, and remembered with its person (R7).
 * A call that seems to begin in the future began by a clock that was wrong: its timeout is counted from now.
 * @param worker the one who asks, whose own are never taken; see `isDead`
 * @returns how many deliveries were taken back, and how many of them may have been called
 */
export async function reclaimFromDeadWorkers(
  db: Database,
  { worker, timeoutMs, deadAfterMs }: { worker: string; timeoutMs: number; deadAfterMs: number },
) {
  await sql`
    update in_hand set called_at = clock_timestamp()
    where worker <> ${worker} and called_at > clock_timestamp() + interval '1 minute'`.execute(db);
  const isOfTheDead = sql<boolean>`(
    h.worker <> ${worker}
    and (h.called_at is null or h.called_at < clock_timestamp() - ${timeoutMs} * interval '1 millisecond')
    and ${isDead(sql`h.worker`, { worker, deadAfterMs })})`;
  const rows = await rowsOf<{ id: number; called: boolean }>(db)`
    with locked as materialized (
      select dead.*
      from (select service, person_key, delivery_id from in_hand h where ${isOfTheDead} order by delivery_id) dead
      left join lateral (select id from deliveries where id = dead.delivery_id for no key update) d on true
    ), left_behind as (
      delete from in_hand h using locked l
      where h.service = l.service and h.person_key = l.person_key and h.delivery_id = l.delivery_id and ${isOfTheDead}
      returning h.delivery_id as id, h.called_at is not null as called
    ), taken as (
      update deliveries d
      set state = 'due', feeds = d.feeds + 1, repeated = d.repeated or l.called, calls = d.calls + case when l.called then 1 else 0 end
      from left_behind l where d.id = l.id and d.state = 'due'
      returning d.*, l.called
    ), remembered as (
      insert into people (service, source, person_key, employee_id, last_outcome, last_run)
      select t.service, r.source, t.person_key, m.employee_id, 'unknown', t.run_id from taken t join runs r on r.id = t.run_id
      join members m on m.run_id = t.run_id and m.person_key = t.person_key where t.called
      ${orReplaced}
    ) select id, called from taken`;
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
  return countOf(db)`
    select count(*) as count from in_hand where called_at is not null`;
}
