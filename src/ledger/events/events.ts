// Stores events until they are handled, and counts how webhook requests ended.
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Events } from '../../acts/shapes/people-of-run.ts';
import { type Database, rowsOf, valuesOf, storableText, toJson, theRow } from '../database/database.ts';
import type { SourceAt } from '../runs/runs.ts';
import { eraseForgottenBodies } from '../people/kept-out.ts';

/** A verified event on its way into the ledger. */
export interface NewEvent {
  source: string;
  /** What it is known by, should it come again. */
  key: string;
  kind: string;
  /** The ids of the people it is about; null if it does not name them all. */
  employees: readonly string[] | null;
  /** The people it carries; null if it carries none. */
  people: readonly Record<string, unknown>[] | null;
  /** Of those whom it carries and says to leave, the addresses and employee ids as the source knows them. */
  leavers?: readonly string[];
  /** As it came, for later questions; kept as long as raw answers are. */
  body: string;
}

/** The waiting events of a source. Times are ms before now by the ledger's clock; negative if that was set back. */
export interface WaitingSource {
  source: string;
  /** Whether there are events that carry people, and such that do not. */
  withPeople: boolean;
  withoutPeople: boolean;
  /** The waiting times of the oldest and the newest of those that do not. */
  oldestMs: number;
  newestMs: number;
  /** The time until the next try after a failure; 0 if nothing failed. */
  retryInMs: number;
  /** How often it failed in a row. */
  failures: number;
}

export interface WaitingEvent {
  id: number;
  receivedAt: Date;
  kind: string;
  employees: string[] | null;
  people: Record<string, unknown>[] | null;
}

/** Returns, in their order, which events were new; of the same one twice, one. A known one is left as it is. */
export async function addEvents(db: Database, events: readonly NewEvent[]): Promise<boolean[]> {
  const rows = events.map((event, place) => ({ ...event, place, key: storableText(event.key) }));
  const added = await rowsOf<{ source: string; key: string }>(db)`
    insert into events (source, key, kind, employees, people, leavers, body)
    select e.source, e.key, e.kind, nullif(e.employees, 'null'::jsonb), nullif(e.people, 'null'::jsonb), e.leavers, e.body
    from jsonb_to_recordset(${toJson(rows)}::jsonb)
      as e (place integer, source text, key text, kind text, employees jsonb, people jsonb, leavers jsonb, body text)
    order by e.place
    on conflict (source, key) do nothing
    returning source, key`;
  const left = new Set(added.map(({ source, key }) => `${key}\n${source}`));
  return rows.map(({ source, key }) => left.delete(`${key}\n${source}`));
}

/** Those of the sources with waiting events. Called every second: takes the same time however many wait. */
export async function waitingSources(db: Database, sources: readonly string[]): Promise<WaitingSource[]> {
  const edge = (end: 'asc' | 'desc') => sql`(
    select extract(epoch from clock_timestamp() - e.received_at) * 1000 from events e
    where e.source = s.source and e.state = 'waiting' and e.people is null order by e.id ${sql.raw(end)} limit 1
  )::double precision`;
  return rowsOf<WaitingSource>(db)`
    select w.source, w.people as with_people, w.oldest is not null as without_people,
      coalesce(w.oldest, 0) as oldest_ms, coalesce(w.newest, 0) as newest_ms,
      coalesce(greatest(0, extract(epoch from h.retry_at - clock_timestamp()) * 1000), 0)::double precision as retry_in_ms,
      coalesce(h.failures, 0) as failures
    from (
      select s.source, ${edge('asc')} as oldest, ${edge('desc')} as newest, exists (
        select 1 from events e where e.source = s.source and e.state = 'waiting' and e.people is not null
      ) as people
      from jsonb_array_elements_text(${JSON.stringify(sources)}::jsonb) as s (source)
    ) w left join event_failures h on h.source = w.source
    where w.people or w.oldest is not null`;
}

/** The kinds of the waiting events of a source that carry people. */
export async function waitingKinds(db: Database, source: string): Promise<string[]> {
  return valuesOf<string>(db)`
    select distinct kind from events where source = ${source} and state = 'waiting' and people is not null`;
}

/**
 * The waiting events of a source, the oldest first, up to a limit; of some kinds, or of all but some. From now on the words
 * alone of one of them are no longer its id: what comes in the same words from here on may be news that the roster which is
 * read now does not have.
 */
export async function takeEvents(db: Database, { source, withPeople, limit, only, except = [] }: EventsToTake) {
  return rowsOf<WaitingEvent>(db)`
    with taken as (
      select id, received_at, kind, employees, people from events
      where source = ${source} and state = 'waiting' and (people is not null) = ${withPeople}
        and (kind = any (${only ?? null}::text[])) is not false and kind <> all (${except}::text[])
      order by id limit ${limit}
    ), renamed as (
      update events e set key = 'was:' || e.id || ':' || e.key from taken where e.id = taken.id and e.key like 'body:%'
    ) select id, received_at, kind, employees, people from taken order by id`;
}

export interface EventsToTake {
  source: string;
  withPeople: boolean;
  limit: number;
  /** The only kinds. */
  only?: readonly string[];
  except?: readonly string[];
}

/** The events of runs that have not ended, with their run: small runs, of some people. */
export async function unsentEvents(db: Database, { service, source }: SourceAt) {
  return rowsOf<WaitingEvent & { runId: string }>(db)`
    select e.id, e.received_at, e.kind, e.employees, e.people, e.run_id
    from runs r join events e on e.source = r.source and e.run_id = r.id
    where r.service = ${service} and r.source = ${source} and r.beside and r.finished_at is null
    order by e.id`;
}

/** The rows that one statement changes: no other one waits long for it. */
const mostAtOnce = 2000;

/**
 * The events are done: their run was released or held, or there was nobody to send. Bodies that name somebody who was forgotten are
 * erased. The source is in order again.
 */
export async function eventsHandled(
  db: Database,
  { source, ids, runId }: { source: string; ids: readonly number[]; runId: string | null },
): Promise<void> {
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    await eraseForgottenBodies(db, ids.slice(at, at + mostAtOnce));
    await sql`
      update events set state = 'handled', run_id = ${runId}, handled_at = clock_timestamp()
      where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids.slice(at, at + mostAtOnce))}::jsonb))
        and state = 'waiting'`.execute(db);
  }
  await sql`delete from event_failures where source = ${source}`.execute(db);
}

/**
 * From now on the events of these numbers count as carrying nobody: they could not be read as people. The same words are
 * read anew when they come again.
 */
export async function eventsWithoutPeople(db: Database, ids: readonly number[]): Promise<void> {
  await sql`
    update events set people = null, key = case when key like 'words:%' then 'was:' || id || ':' || key else key end
    where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
      and state = 'waiting'`.execute(db);
}

/** Events leave these people out, by their addresses and employee ids: no older roster sends them. */
export async function noteLeavers(
  db: Database,
  named: readonly { event: number; names: readonly string[] }[],
): Promise<void> {
  await sql`
    update events e set leavers = coalesce(e.leavers, '[]') || n.names
    from (
      select g.event, jsonb_agg(distinct name) as names
      from jsonb_to_recordset(${toJson(named)}::jsonb) as g (event bigint, names jsonb) cross join jsonb_array_elements(g.names) as name
      group by g.event
    ) n
    where e.id = n.event and not coalesce(e.leavers, '[]') @> n.names`.execute(db);
}

/** Which of these employee ids neither a person nor a rejected row of a run has. */
export async function idsWithoutPerson(db: Database, runId: string, ids: readonly string[]): Promise<string[]> {
  return valuesOf<string>(db)`
    select id from unnest(${ids}::text[]) as i (id)
    where not exists (select 1 from members m where m.run_id = ${runId} and lower(m.employee_id) = lower(i.id))
      and not exists (select 1 from rejects j where j.run_id = ${runId} and lower(j.employee_id) = lower(i.id))`;
}

/** The events of a source could not be handled: sets the time until the next try. Returns how often that was in a row. */
export async function eventsFailed(
  db: Database,
  { source, reason, waitMs }: { source: string; reason: string; waitMs: number },
) {
  const row = await theRow<{ failures: number }>(db)`
    insert into event_failures as e (source, failures, reason, retry_at)
    values (${source}, 1, ${reason}, clock_timestamp() + ${waitMs} * interval '1 millisecond')
    on conflict (source) do update set failures = e.failures + 1, reason = excluded.reason, retry_at = excluded.retry_at
    returning failures`;
  return row.failures;
}

/** What happened to requests: `stored`, `replayed`, `refused`, by source and day. */
export type EventCount = z.output<typeof Events>['events'][number];

/** Adds to the counts of today (UTC). All that is kept of what was not believed. */
export async function countEvents(db: Database, counts: readonly EventCount[]): Promise<void> {
  await sql`
    insert into event_counts (source, day, result, count)
    select c.source, (clock_timestamp() at time zone 'utc')::date, c.result, sum(c.count)
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as c (source text, result text, count bigint)
    group by c.source, c.result
    on conflict (source, day, result) do update set count = event_counts.count + excluded.count`.execute(db);
}

/** The counts of the last `days` days, today among them. */
export async function eventCounts(db: Database, days: number): Promise<EventCount[]> {
  return rowsOf<EventCount>(db)`
    select source, result, sum(count)::bigint as count from event_counts
    where day > (clock_timestamp() at time zone 'utc')::date - ${days}::integer
    group by source, result order by source, result`;
}

/** A verified event, without what it said. */
export interface LatestEvent {
  source: string;
  receivedAt: Date;
  kind: string;
  isWaiting: boolean;
  /** The run that it led to; null where it waits, or there was nobody to send. */
  runId: string | null;
}

/** The events among which the latest ones of each source are looked for, so that it takes the same time however many are kept. */
const lookedAt = 10_000;

/** The latest events of each source, the newest first. Of a source that was quiet while others had thousands there may be none. */
export async function latestEvents(db: Database, limit: number): Promise<LatestEvent[]> {
  return rowsOf<LatestEvent>(db)`
    select source, received_at, kind, state = 'waiting' as is_waiting, run_id from (
      select e.*, row_number() over (partition by source order by id desc) as place from (
        select id, source, received_at, kind, state, run_id from events order by id desc limit ${lookedAt}
      ) e
    ) ranked where place <= ${limit} order by id desc`;
}
