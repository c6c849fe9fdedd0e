// Feed: finds the runs that deliver, what of them is due, and what is in hand. Nothing is written.
import { type RawBuilder, sql } from 'kysely';
import { type Database, countOf, isThere, rowsOf } from '../database/database.ts';
import { deliveredMs } from './move-run.ts';

/*
 * Whoever changes a row of `in_hand` and a delivery locks the delivery first, and several deliveries in the order of their
 * ids. So no two wait for each other, and a claim never sees a delivery that is due beside a lane that was free a moment later.
 */

/**
 * The lanes of the deliveries of `ids` (a table with a column `id`): that table's columns, `service` and `person_key`.
 * @param locked whether the deliveries are to be changed afterwards
 */
export function lanesOf(ids: RawBuilder<unknown>, { locked = false } = {}): RawBuilder<unknown> {
  const own = locked ? sql`for no key update` : sql`offset 0`;
  return sql`(
    select i.*, d.service, d.person_key from ${ids} i
    cross join lateral (select service, person_key from deliveries where id = i.id ${own}) d)`;
}

/**
 * Whether a row `h` of `in_hand` is of a delivery `mine` of `lanesOf`, and in the hands of this worker. The last condition
 * always holds: it makes reading all rows look as expensive as it is, so that each is found by its key.
 */
export function isMine(worker: string): RawBuilder<boolean> {
  return sql<boolean>`(h.service = mine.service and h.person_key = mine.person_key and h.delivery_id = mine.id
    and h.worker = ${worker} and exists (select 1 from deliveries o where o.id = h.delivery_id offset 0))`;
}

/** Whether a delivery `d` is in nobody's hands. */
export const isUnclaimed = sql<boolean>`not exists (
  select 1 from in_hand h where h.service = d.service and h.person_key = d.person_key and h.delivery_id = d.id)`;

/** Whether a call to a person for a source is in flight: nobody knows yet what it gives them. */
export const isCalled = (service: RawBuilder<unknown>, source: RawBuilder<unknown>, key: RawBuilder<unknown>) =>
  sql<boolean>`exists (
    select 1 from in_hand h join runs c on c.id = h.run_id
    where h.service = ${service} and h.person_key = ${key} and h.called_at is not null and c.source = ${source})`;

export interface DeliveringRun {
  id: string;
  /** A few people whom an event named. */
  urgent: boolean;
  deadlineMs: number;
  /** The time it has delivered so far, ms, by the clock of the ledger. */
  spentMs: number;
  /** Its clock stands: its process ended without signing off, and nobody has continued it. */
  stands: boolean;
  /** Another one once its state or its stage has changed. */
  turn: string;
}

/** The runs of a service that are delivering, the oldest first; or only those named. */
export async function deliveringRuns(db: Database, service: string, only?: readonly string[]) {
  return rowsOf<DeliveringRun>(db)`
    select id, beside as urgent, (settings->>'deadlineMs')::bigint as deadline_ms, delivering_since is null as stands, state_changes || ' ' || stage as turn,
      ${deliveredMs} - deadline_from as spent_ms
    from runs where status = 'delivering' and service = ${service} and (${only ?? null}::text[] is null or id = any(${only ?? null}::text[]))
    order by number`;
}

/** Whether every delivery of a run has ended, but those that wait for an approval. */
export async function isDelivered(db: Database, runId: string): Promise<boolean> {
  return !(await isThere(db)`select 1 from deliveries where run_id = ${runId} and state = 'due' limit 1`);
}

/** Whether a run has more to send than the calls that are in flight. */
export async function hasUnsent(db: Database, runId: string): Promise<boolean> {
  return isThere(db)`
    select 1 from deliveries d where d.run_id = ${runId} and d.state = 'due' and not exists (
      select 1 from in_hand h
      where h.service = d.service and h.person_key = d.person_key and h.delivery_id = d.id and h.called_at is not null)
    limit 1`;
}

/** How many calls of a run are in flight, or about to be. */
export async function countInFlight(db: Database, runId: string): Promise<number> {
  return countOf(db)`
    select count(*) as count from in_hand where run_id = ${runId} and called_at is not null`;
}

/** A delivery on its way into the queue. `feeds` counts how often it came back since it was first due. */
export interface FedDelivery {
  id: number;
  feeds: number;
}

export interface DueDelivery extends FedDelivery {
  /** Its call may have happened already: it has waited the longest. */
  repeated: boolean;
  /** Where it is in the order; null where that is in a future that only a wrong clock can have written. */
  position: FeedPosition | null;
}

/** A position in the order in which the deliveries of a run are fed: a stage of a canary release, a time, then an id. */
export interface FeedPosition {
  stage: number;
  at: string;
  id: number;
}

/** Before the first that is due. */
const first: FeedPosition = { stage: -1, at: '-infinity', id: 0 };
const tupleOf = ({ stage, at, id }: FeedPosition) => sql`(${stage}::smallint, ${at}::timestamptz, ${id}::bigint)`;

/**
 * The deliveries of a run that are due, in stages that are open, and in nobody's hands, in the order of the plan, if it is delivering. Nothing is put
 * off before it was first fed, nor later for more than a day and the longest wait between two tries: what seems to be is due
 * by a clock that was wrong.
 */
export async function findDue(
  db: Database,
  runId: string,
  { after = first, limit }: { after?: FeedPosition | undefined; limit: number },
) {
  return rowsOf<DueDelivery>(db)`
    select d.id, d.feeds, d.repeated,
      case when d.due_at <= clock_timestamp() then jsonb_build_object('stage', d.stage, 'at', d.due_at::text, 'id', d.id) end as position
    from deliveries d join runs r on r.id = d.run_id
    where d.run_id = ${runId} and r.status = 'delivering' and d.state = 'due' and d.stage <= r.stage
      and (d.stage, d.due_at, d.id) > ${tupleOf(after)}
      and (d.due_at <= clock_timestamp() or d.feeds = 0 or d.due_at > clock_timestamp() + interval '25 hours'
        + coalesce((r.settings->'backoff'->>'max')::double precision, 0) * interval '1 millisecond')
      and ${isUnclaimed}
    order by d.stage, d.due_at, d.id limit ${limit}`;
}

/** How many deliveries of a run up to this position are not done: at least as many jobs must be in the queue. */
export async function countFed(db: Database, runId: string, last: FeedPosition = first) {
  return countOf(db)`
    select count(*) as count from deliveries d
    where d.run_id = ${runId} and d.state = 'due' and (d.stage, d.due_at, d.id) <= ${tupleOf(last)}`;
}
