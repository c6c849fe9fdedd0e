import { sql } from 'kysely';
import type { Database } from './database.ts';

/** A delivery on its way into the queue. `feeds` counts how often it was put there. */
export interface FedDelivery {
  id: number;
  feeds: number;
}

/**
 * Marks up to `limit` due deliveries of a run that is delivering as queued, in the order of the plan, and
 * returns them for the queue.
 */
export async function takeDue(db: Database, runId: string, limit: number): Promise<FedDelivery[]> {
  const { rows } = await sql<FedDelivery>`
    with taken as (
      update deliveries set state = 'queued', feeds = feeds + 1
      where id in (
        select d.id from deliveries d join runs r on r.id = d.run_id
        where d.run_id = ${runId} and r.status = 'delivering' and d.state = 'due' and d.due_at <= clock_timestamp()
        order by d.due_at, d.id limit ${limit} for update of d skip locked
      ) returning id, feeds
    ) select id, feeds from taken order by id`.execute(db);
  return rows;
}

/** What of a run is left to do: `waitMs` is how long until the next due delivery, null when none is due. */
export interface Backlog {
  due: number;
  queued: number;
  claimed: number;
  waitMs: number | null;
}

/** Counts what is left of a run. */
export async function backlogOf(db: Database, runId: string): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*) filter (where state = 'due') as due, count(*) filter (where state = 'queued') as queued,
      count(*) filter (where state = 'claimed') as claimed,
      (extract(epoch from min(due_at) filter (where state = 'due') - clock_timestamp()) * 1000)::double precision as "waitMs"
    from deliveries where run_id = ${runId} and state <> 'done'`.execute(db);
  return rows[0] ?? { due: 0, queued: 0, claimed: 0, waitMs: null };
}

/**
 * Takes back everything that a process which is gone had in its hands: what was queued or claimed is due
 * again; a call that was in flight only once the service's timeout has passed since it began (R3), and it is
 * marked as repeated (R7).
 */
export async function takeBackAll(db: Database, timeoutMs: number): Promise<{ inFlight: number }> {
  const { numAffectedRows } = await sql`
    update deliveries
    set state = 'due', claimed_by = null, called_at = null, repeated = true, calls = calls + 1,
      due_at = greatest(clock_timestamp(), called_at + ${timeoutMs} * interval '1 millisecond')
    where state = 'claimed' and called_at is not null`.execute(db);
  await sql`
    update deliveries set state = 'due', claimed_by = null, due_at = clock_timestamp()
    where state in ('queued', 'claimed')`.execute(db);
  // The time since the other process died is not time spent delivering.
  await sql`update runs set delivering_since = clock_timestamp() where status = 'delivering'`.execute(db);
  return { inFlight: Number(numAffectedRows ?? 0n) };
}

/** When the service was called within the last `withinMs`, oldest first, as ms ago: at most `limit` calls. */
export async function recentCalls(db: Database, service: string, withinMs: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ ago: number }>`
    select (extract(epoch from clock_timestamp() - called_at) * 1000)::double precision as ago from (
      (select r.called_at from receipts r join deliveries d on d.id = r.delivery_id
        where d.service = ${service} and r.called_at > clock_timestamp() - ${withinMs} * interval '1 millisecond'
        order by r.called_at desc limit ${limit})
      union all
      select called_at from deliveries where service = ${service} and state = 'claimed' and called_at is not null
    ) calls order by called_at desc limit ${limit}`.execute(db);
  return rows.map(({ ago }) => ago).toReversed();
}
