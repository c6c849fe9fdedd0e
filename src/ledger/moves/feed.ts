// Feed: what is due goes into the queue, and comes back when the queue has lost it.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

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

/** Marks deliveries as queued whose stage of a careful release is open, as `takeDue` does with those that are due. */
export async function takeOpened(db: Database, runId: string, limit: number): Promise<TakenDelivery[]> {
  const { rows } = await sql<TakenDelivery>`
    with taken as (
      update deliveries set state = 'queued', feeds = feeds + 1, queued_at = clock_timestamp(), due_at = clock_timestamp()
      where id in (
        select d.id from deliveries d join runs r on r.id = d.run_id
        where d.run_id = ${runId} and r.status = 'delivering' and d.state = 'waiting' and d.stage <= r.stage
        order by d.stage, d.id limit ${limit} for update of d skip locked
      ) returning id, feeds, repeated
    ) select id, feeds, repeated from taken order by id`.execute(db);
  return rows;
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

/** Makes everything due again that was in a queue which is empty now. */
export async function feedAllAgain(db: Database): Promise<void> {
  await sql`update deliveries set state = 'due', due_at = clock_timestamp() where state = 'queued'`.execute(db);
}

/** Makes due what was in the queue or in somebody's hands, in a ledger that was restored: nobody has it now. */
export async function letGo(db: Database): Promise<void> {
  await sql`
    update deliveries set state = 'due', claimed_by = null, called_at = null where state in ('claimed', 'queued')`.execute(
    db,
  );
}
