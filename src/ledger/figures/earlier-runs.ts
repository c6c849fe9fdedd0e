// What earlier runs of a source left undone: stopped, cancelled, left out by an approval, or sent in parts.
import { type RawBuilder, sql } from 'kysely';
import type { DroppedRun, Earlier, GuardFacts, UnfinishedRun } from '../../core/guards/trip.ts';
import { type Database, rowOf, valuesOf } from '../database/database.ts';
import { listedRows } from '../planning/unchanged-people.ts';
import type { RunOfSource, SourceAt } from '../runs/runs.ts';

/**
 * The run of a source that is paused or halted, and how many of the new people of a planned run it has not sent; of several
 * the newest that a person stopped, else the newest. Undefined where there is none.
 */
export async function unfinishedOf(
  db: Database,
  { runId, service, source }: RunOfSource,
): Promise<UnfinishedRun | undefined> {
  return rowOf<UnfinishedRun>(db)`
    with stopped as (
      select r.id, r.number, r.status, coalesce(r.stopped_by in ('person', 'interruption') and r.status = 'paused', false) as by_person
      from runs r where r.service = ${service} and r.source = ${source} and r.status in ('paused', 'halted')
      order by by_person desc, r.number desc limit 1
    )
    select s.id, s.status, s.by_person as "isByPerson",
      not exists (
        select 1 from runs o
        where o.service = ${service} and o.source = ${source} and o.released_at is not null and o.number < s.number
      ) as "isFirst",
      (select count(*) from deliveries d where d.run_id = s.id) as calls,
      (select count(*) from deliveries d
        where d.run_id = s.id and d.outcome in ('succeeded', 'partial', 'failed', 'unknown')) as sent,
      (select count(*) from members m join deliveries d on d.run_id = s.id and d.person_key = m.person_key
        where m.run_id = ${runId} and m.action = 'new' and d.outcome is null) as waiting
    from stopped s`;
}

/** The open run of a source most of whose unsent people a planned run does not have, and how many; a stopped one before a held one. */
export async function droppedOf(
  db: Database,
  { runId, service, source }: RunOfSource,
): Promise<DroppedRun | undefined> {
  return rowOf<DroppedRun>(db)`
    select r.id, r.status, count(*) as people
    from runs r
    join deliveries d on d.run_id = r.id and d.state in ('held', 'due')
    join members o on o.run_id = r.id and o.person_key = d.person_key and o.action <> 'departed'
    where r.service = ${service} and r.source = ${source} and r.status in ('paused', 'halted', 'held') and r.id <> ${runId}
      and not exists (select 1 from members m where m.run_id = ${runId} and m.person_key = d.person_key)
      and d.person_key not in (select u.key from ${listedRows(runId)} u)
      and not exists (select 1 from runs own
        where own.id = ${runId} and r.beside and (r.roster->>'time')::timestamptz > (own.roster->>'time')::timestamptz)
    group by r.id, r.status, r.number order by r.status = 'held', people desc, r.number desc limit 1`;
}

/**
 * The last run of a source that was released, or that a person cancelled, if a person has cancelled it: what guards stopped of it;
 * and of the last that was released, if a person has cancelled that one, how many a planned run would send of those whom it did not.
 */
export async function cancelledOf(
  db: Database,
  { runId, service, source }: RunOfSource,
): Promise<GuardFacts['cancelled']> {
  const isCancelled = sql<boolean>`coalesce(status = 'cancelled' and stopped_by = 'person', false)`;
  const lastOf = (which: RawBuilder<boolean>) => sql`(
    select * from runs where service = ${service} and source = ${source} and id <> ${runId} and ${which}
      and (${isCancelled} or not (beside or coalesce((roster->>'partial')::boolean, false)))
    order by number desc limit 1)`;
  return rowOf<NonNullable<GuardFacts['cancelled']>>(db)`
    select r.id, r.trips, (
      select jsonb_build_object('id', l.id, 'people', count(*))
      from (select id from ${lastOf(sql`released_at is not null`)} l where ${isCancelled}) l
      join deliveries d on d.run_id = l.id and d.outcome is null
      join members m on m.run_id = ${runId} and m.person_key = d.person_key and m.action not in ('later', 'unchanged')
      group by l.id) as unsent
    from ${lastOf(sql`(released_at is not null or ${isCancelled})`)} r
    where ${isCancelled}`;
}

/** Whether a delivery of a run is of somebody whom its approval left out, or whom the run held for that. */
export const leftOut = (run: 'r' | 'l', delivery: 'd' | 's') => sql<boolean>`(
  (${sql.ref(delivery)}.state = 'held' or ${sql.ref(delivery)}.was_held) and ${sql.ref(run)}.held_at is not null
  and (exists (select 1 from approvals a where a.run_id = ${sql.ref(run)}.id)
    or ${sql.ref(run)}.trips @> '[{"guard": "withheld"}]'::jsonb))`;

/**
 * The keys of those people of a plan whom somebody left out when they approved an earlier run of its source, or whom a guard
 * has held for that since, and who were not sent after it; by their address, the one that it was changed to, or the employee id.
 * Of a plan of some people also those whom an earlier run holds.
 */
export async function withheldOf(
  db: Database,
  { runId, service, source }: RunOfSource,
  limit: number,
): Promise<string[]> {
  const isOfSome = sql<boolean>`(select (roster->>'partial')::boolean and not beside from runs where id = ${runId})`;
  return valuesOf<string>(db)`
    with recursive left_out as materialized (
      select r.number, d.person_key as key, o.employee_id
      from runs r
      join deliveries d on d.run_id = r.id
      left join members o on o.run_id = d.run_id and o.person_key = d.person_key
      where r.service = ${service} and r.source = ${source} and r.id <> ${runId} and (${leftOut('r', 'd')}
        or ${isOfSome} and d.state = 'held')
    ), followed (number, former, key) as (
      select number, key, key from left_out
      union select f.number, f.former, x.new_key from followed f join resolutions x on x.service = ${service} and x.old_key = f.key
    ), today as (
      select number, former, key from followed
      union select l.number, l.key, m.person_key from left_out l
        join members m on m.run_id = ${runId} and m.employee_id = l.employee_id
    )
    select distinct m.person_key as key
    from today t
    join members m on m.run_id = ${runId} and m.person_key = t.key and m.action not in ('later', 'unchanged')
    where not exists (
      select 1 from runs l join deliveries s on s.run_id = l.id and s.person_key in (t.former, t.key)
      where l.service = ${service} and l.source = ${source} and l.number > t.number and s.state <> 'held'
        and s.outcome is distinct from 'superseded' and s.outcome is distinct from 'cancelled'
        and (s.outcome is not null or l.status <> 'cancelled')
    )
    limit ${limit}`;
}

/** What runs of some people of a source, by events or over the API, have released within a day, since somebody approved one of them. */
export async function earlierParts(db: Database, { service, source }: SourceAt): Promise<Earlier | undefined> {
  const isPart = (run: 'r' | 'o') => sql<boolean>`(${sql.ref(`${run}.beside`)}
    or ${sql.ref(`${run}.trigger`)} = 'api' and (${sql.ref(`${run}.roster`)}->>'partial')::boolean)`;
  const figure = (path: string) => sql`coalesce(sum((plan#>>${path}::text[])::bigint), 0)::bigint`;
  return rowOf<Earlier>(db)`
    select ${figure('{counts,new}')} as new, ${figure('{counts,changed}')} as changed, ${figure('{counts,departed}')} as departed,
      ${figure('{possibleInvitations}')} as "possibleInvitations",
      ${figure('{removals,people}')} as people, ${figure('{removals,atLeast}')} as memberships
    from runs r
    where service = ${service} and source = ${source} and ${isPart('r')} and status <> 'cancelled'
      and released_at > clock_timestamp() - interval '1 day'
      and not exists (
        select 1 from approvals a join runs o on o.id = a.run_id
        where o.service = r.service and o.source = r.source and ${isPart('o')} and o.number >= r.number)`;
}
