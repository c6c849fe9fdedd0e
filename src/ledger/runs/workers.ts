// Which processes are alive, and which of them feeds the queue of a service.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

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
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from workers
    where id <> ${besides} and seen_at > clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Signs a process off: it has no deliveries any more. Processes that never signed off are forgotten after a day. */
export async function leave(db: Database, worker: string): Promise<void> {
  await sql`delete from feeders where worker = ${worker}`.execute(db);
  await sql`delete from workers where id = ${worker} or seen_at < clock_timestamp() - interval '1 day'`.execute(db);
}

/**
 * Makes a process the one that feeds the queue of a service, for a time from now, or for that time again; unless another
 * one is. It is a lease and no lock of a session: a machine that was stopped, or cut off silently, would hold a
 * lock for hours. A lease that ends later than any can was taken before the clock was set back: it has ended.
 * Returns whether it is the one.
 */
export async function leadFeeding(
  db: Database,
  { service, worker, forMs }: { service: string; worker: string; forMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into feeders (service, worker, until)
    values (${service}, ${worker}, clock_timestamp() + ${forMs} * interval '1 millisecond')
    on conflict (service) do update set worker = excluded.worker, until = excluded.until
      where feeders.worker = excluded.worker or feeders.until < clock_timestamp()
        or feeders.until > clock_timestamp() + ${forMs + 60_000} * interval '1 millisecond'
    returning service`.execute(db);
  return rows.length > 0;
}
