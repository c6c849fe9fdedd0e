// Moves due deliveries into the queue, and takes back those of dead processes.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { supersedeOvertaken } from './overtaken-by-newer.ts';
import { stopClocks } from '../runs/runs.ts';

/** A delivery on its way into the queue. `feeds` counts how often it was put there. */
export interface FedDelivery {
  id: number;
  feeds: number;
}

/** A delivery on its way into the queue. */
export interface TakenDelivery extends FedDelivery {
  /** Its call may have happened already: it has waited the longest. */
  repeated: boolean;
}

/** A run that delivers, as the feeder sees it. */
export interface DeliveringRun {
  id: string;
  /** A few people whom an event named. */
  urgent: boolean;
  deadlineMs: number;
  /** The time it has delivered so far, ms, by the clock of the ledger. */
  spentMs: number;
  /** Its clock stands: its process ended without signing off, and nobody has continued it. */
  stands: boolean;
}

/** The runs of a service that are delivering, the oldest first; or only those named. */
export async function deliveringRuns(
  db: Database,
  service: string,
  only?: readonly string[],
): Promise<DeliveringRun[]> {
  const { rows } = await sql<DeliveringRun>`
    select id, beside as urgent, (settings->>'deadlineMs')::bigint as "deadlineMs", delivering_since is null as stands,
      delivered_ms - deadline_from
        + coalesce(greatest(0, extract(epoch from clock_timestamp() - delivering_since) * 1000)::bigint, 0) as "spentMs"
    from runs where status = 'delivering' and service = ${service} and (${only ?? null}::text[] is null or id = any(${only ?? null}::text[]))
    order by number`.execute(db);
  return rows;
}

/**
 * Marks up to `limit` due deliveries of a run that is delivering as queued, in the order of the plan, and
 * returns them for the queue. Nothing is put off for more than a day and the longest wait between two tries: what seems to be
 * was put off by a clock that was wrong.
 */
export async function takeDue(db: Database, runId: string, limit: number): Promise<TakenDelivery[]> {
  const { rows } = await sql<TakenDelivery>`
    with taken as (
      update deliveries set state = 'queued', feeds = feeds + 1, queued_at = clock_timestamp()
      where id in (
        select d.id from deliveries d join runs r on r.id = d.run_id
        where d.run_id = ${runId} and r.status = 'delivering' and d.state = 'due'
          and (d.due_at <= clock_timestamp() or d.due_at > clock_timestamp() + interval '25 hours'
            + coalesce((r.settings->'backoff'->>'max')::double precision, 0) * interval '1 millisecond')
        order by d.due_at, d.id limit ${limit} for update of d skip locked
      ) returning id, feeds, repeated
    ) select id, feeds, repeated from taken order by id`.execute(db);
  return rows;
}

/** Whether every delivery of a run has ended, but those that wait for an approval. */
export async function isDelivered(db: Database, runId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select 1 from deliveries where run_id = ${runId} and state = 'due')
      or exists (select 1 from deliveries where run_id = ${runId} and state = 'waiting')
      or exists (select 1 from deliveries where run_id = ${runId} and state in ('queued', 'claimed')) as open`.execute(
    db,
  );
  return rows[0]?.open === false;
}

/** How many calls of a run are in flight, or about to be. */
export async function countInFlight(db: Database, runId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from deliveries where run_id = ${runId} and state = 'claimed' and called_at is not null`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** What the ledger believes to be in the queue of a service, put there at least `olderThanMs` ago. */
export async function queuedDeliveries(db: Database, service: string, olderThanMs: number): Promise<FedDelivery[]> {
  const { rows } = await sql<FedDelivery>`
    select d.id, d.feeds from deliveries d
    where d.state = 'queued' and d.service = ${service} and d.queued_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`.execute(
    db,
  );
  return rows;
}

/** Makes deliveries due again that the queue has lost. */
export async function feedAgain(db: Database, lost: readonly FedDelivery[]): Promise<void> {
  await sql`
    update deliveries d set state = 'due', due_at = clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(lost)}::jsonb) as l (id bigint, feeds integer)
    where d.id = l.id and d.feeds = l.feeds and d.state = 'queued'`.execute(db);
}

/**
 * A sign of life of a process.
 * @param deadAfterMs the shortest time that counts as a gap: everybody has one after the database was away
 */
export async function beat(db: Database, worker: string, deadAfterMs: number): Promise<void> {
  await sql`
    insert into workers (id, seen_at, alive_since) values (${worker}, clock_timestamp(), clock_timestamp())
    on conflict (id) do update set seen_at = excluded.seen_at,
      alive_since = case
        when workers.seen_at < clock_timestamp() - ${deadAfterMs} * interval '1 millisecond' then excluded.alive_since
        else workers.alive_since
      end`.execute(db);
}

/**
 * Makes a process the one that feeds the queue of a service, for a time from now, or for that time again; unless another
 * one is. It is a lease and no lock of a session: a machine that was stopped, or cut off silently, would hold a
 * lock for hours. Returns whether it is the one.
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
    returning service`.execute(db);
  return rows.length > 0;
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
 * Takes back what processes had in their hands that gave no sign of life for `deadAfterMs`: due again at once, but a
 * call that was in flight only once the service's timeout has passed since it began; until then the person's lane
 * stays closed (R3). Such a call is marked as repeated (R7). Returns how many calls that were.
 * A call that seems to begin in the future began by a clock that was wrong: its timeout is counted from now.
 * @param worker the one who asks, whose own are never taken; it judges others only once it has itself given signs of life
 *   for as long without a gap: when the database was away, everybody seems dead until they have had time to say otherwise
 * @param deadAfterMs 0 for the one process that is alone
 */
export async function takeBackFromTheDead(
  db: Database,
  { worker, timeoutMs, deadAfterMs }: { worker: string; timeoutMs: number; deadAfterMs: number },
): Promise<number> {
  await sql`
    update deliveries set called_at = clock_timestamp()
    where claimed_by <> ${worker} and called_at > clock_timestamp() + interval '1 minute'`.execute(db);
  const { rows } = await sql<{ id: number; repeated: boolean }>`
      update deliveries d
      set state = 'due', claimed_by = null, called_at = null, repeated = d.repeated or d.called_at is not null,
        calls = d.calls + case when d.called_at is null then 0 else 1 end
      where d.claimed_by <> ${worker}
        and (d.called_at is null or d.called_at < clock_timestamp() - ${timeoutMs} * interval '1 millisecond')
        and not exists (
          select 1 from workers w
          where w.id = d.claimed_by and w.seen_at > clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'
        )
        and (${deadAfterMs}::double precision = 0 or exists (
          select 1 from workers w where w.id = ${worker}
            and w.seen_at > clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'
            and w.alive_since < clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'
        ))
      returning d.id, d.repeated`.execute(db);
  await supersedeOvertaken(
    db,
    rows.map(({ id }) => id),
  );
  return rows.filter(({ repeated }) => repeated).length;
}

/**
 * Starts over, for a process that is the only one to deliver: nothing is in the queue any more, and the clocks of
 * runs stand until somebody delivers them. Returns how many calls were in flight when that one ended.
 */
export async function beginAlone(db: Database): Promise<number> {
  await sql`update deliveries set state = 'due', due_at = clock_timestamp() where state = 'queued'`.execute(db);
  await stopClocks(db);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from deliveries where state = 'claimed' and called_at is not null`.execute(db);
  return rows[0]?.count ?? 0;
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

/** The share of the configured rate that a service bore when it was last called; 1 for a service never called. */
export async function rememberedShare(db: Database, service: string): Promise<number> {
  const pace = await db.selectFrom('paces').select('share').where('service', '=', service).executeTakeFirst();
  return pace?.share ?? 1;
}

/** Remembers the share of the configured rate that a service bears. */
export async function rememberShare(db: Database, service: string, share: number): Promise<void> {
  await sql`
    insert into paces (service, share) values (${service}, ${share})
    on conflict (service) do update set share = excluded.share`.execute(db);
}
