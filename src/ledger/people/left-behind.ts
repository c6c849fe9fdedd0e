// Tracks the groups that people still have although no source gives them any more.
import { type RawBuilder, sql } from 'kysely';
import { type Database, type KeyRange, sumOver } from '../database/database.ts';
import type { RunOfSource } from '../runs/runs.ts';

/** Before the fingerprint of what is given to somebody as one who left: nobody who is in a roster has such a one. */
export const leaverMark = 'left:';

/** Whether a fingerprint is of what somebody was given as one who left. */
export const isOfLeaver = (fingerprint: string) => sql<boolean>`${sql.ref(fingerprint)} like ${`${leaverMark}%`}`;

/**
 * Before the fingerprint of what the rows of somebody say, where it was united with what other rows gave: the next whole roster
 * finds a change, and says what they have.
 */
export const unitedMark = 'part:';

/*
 * Without forceSync the service takes nobody out of a group. `people` says what each source gives a person now; the table
 * `left_behind` says what they were given besides and no source gives any more. Both together are what they have.
 */

/** Whether row `l` is of a group that the person still has, as far as anybody knows. */
export const isStillThere = sql<boolean>`(l.taken_at is null and l.done_at is null)`;

/** The rejected rows of member `m`, by the address or by the employee id, as a table. */
export const rejectedRows = sql`(
  select * from rejects where run_id = m.run_id and person_key = m.person_key
  union all select * from rejects where run_id = m.run_id and lower(employee_id) = lower(m.employee_id))`;

/**
 * Whether the roster of run `r` may hold only some of the rows of member `m`: a file of rejects, a roster of which rows may be
 * lost, and one that rejected a row of theirs. What the other rows gave does not end by that (R10).
 */
export const hasSomeRows = sql<boolean>`(coalesce(r.roster->'form'->'header' ? '_line', false)
  or coalesce((r.roster->>'hasLostRows')::boolean, false)
  or exists (select 1 from ${rejectedRows} j offset 0))`;

/** Whether the call for member `m` of run `r` is made with `forceSync`. */
export const isForced = sql<boolean>`coalesce(m.force_sync, (r.settings->>'forceSync')::boolean)`;

/**
 * Whether member `m` of run `r` keeps what other rows gave, which is not left behind. A call with `forceSync` takes away what
 * it does not name, and what somebody is or was given as one who left is of none of their rows.
 * @param given the fingerprint of what they were given before
 */
export const keepsOtherRows = (given: string) =>
  sql<boolean>`(not ${isForced} and ${isOfLeaver(given)} is not true and ${isOfLeaver('m.fingerprint')} is not true and ${hasSomeRows})`;

/** The groups that person `m` still has though a source does not give them any more, as a JSON array. */
export function leftGroups(service: string, source: string): RawBuilder<string[]> {
  return sql`coalesce((
    select jsonb_agg(l.group_name) from left_behind l
    where l.service = ${service} and l.person_key = m.person_key and l.source = ${source} and ${isStillThere}), '[]')`;
}

/**
 * What a source gives a person now, looked up by its whole key: `offset 0` keeps the database from comparing everybody with everybody
 * where it does not know yet how many there are.
 */
const givenTo = (service: RawBuilder<unknown>, source: RawBuilder<unknown>, key: RawBuilder<unknown>) =>
  sql`lateral (select * from people where service = ${service} and source = ${source} and person_key = ${key} offset 0)`;

/** Whether an accepted call `t` named a group. */
const named = (group: RawBuilder<unknown>) =>
  sql<boolean>`(t.groups ? ${group} or t.results @> jsonb_build_array(jsonb_build_object('group', ${group})))`;

/** What was known about a group before counts no longer. */
const orAnew = sql`on conflict (service, person_key, group_name) do update set source = excluded.source,
  given_at = excluded.given_at, given_run = excluded.given_run, since = excluded.since, since_run = excluded.since_run,
  taken_at = null, taken_run = null, done_at = null, done_by = null`;

/**
 * Parts of the statement that writes receipts, after `ended`: what each accepted call leaves behind of what its
 * person had, what a call with `forceSync` takes away, and what is given again. Without prior calls for its people it
 * finds nothing and writes nothing.
 */
export const leftByAnswers = sql`
    told as materialized (
      select e.service, e.person_key, e.run_id, r.source, e.outcome = 'succeeded' as given, m.groups, e.results,
        ${isForced} as forced,
        (${isOfLeaver('m.fingerprint')} and not ${isForced}) or ${keepsOtherRows('p.fingerprint')} as keeps,
        p.groups as had, p.given_at, p.given_run
      from ended e
      join runs r on r.id = e.run_id
      join members m on m.run_id = e.run_id and m.person_key = e.person_key
      left join lateral (
        select * from people where service = e.service and person_key = e.person_key and source = r.source offset 0) p on true
      where e.kind = 'accepted' and e.outcome is not null
    ), known as materialized (
      select l.place as at, l.group_name, l.source as by_source, l.since, ${isStillThere} as is_there, t.*,
        coalesce(t.had ? l.group_name, false) and ${isStillThere} as is_had, ${named(sql`l.group_name`)} as is_named
      from told t cross join lateral (
        select left_behind.ctid as place, * from left_behind where service = t.service and person_key = t.person_key offset 0) l
    ), given_again as (
      delete from left_behind using known k where left_behind.ctid = k.at and ((k.given and k.groups ? k.group_name)
        -- Taken away before, and given now by a call that gave only a part.
        or (not k.given and k.had ? k.group_name and not k.is_there
          and k.results @> jsonb_build_array(jsonb_build_object('group', k.group_name, 'status', 'success'))))
    ), left_again as (
      update left_behind set
        source = case when k.is_had then k.source else left_behind.source end,
        given_at = case when k.is_had then k.given_at else left_behind.given_at end,
        given_run = case when k.is_had then k.given_run else left_behind.given_run end,
        since = case when k.is_named and not k.is_there then null when k.is_had then clock_timestamp() else coalesce(left_behind.since, clock_timestamp()) end,
        since_run = case when k.is_named and not k.is_there then null when k.is_had or left_behind.since is null then k.run_id else left_behind.since_run end,
        taken_at = case when k.forced and not k.is_named then clock_timestamp() end,
        taken_run = case when k.forced and not k.is_named then k.run_id end, done_at = null, done_by = null
      from known k
      where left_behind.ctid = k.at and case when k.is_named
        then k.given and not k.groups ? k.group_name and (not k.is_there or (k.since is null and k.by_source = k.source))
        else (k.forced and k.is_there)
          or (k.given and not k.keeps and (k.is_had or (k.is_there and k.since is null and k.by_source = k.source))) end
    ), newly_left as (
      insert into left_behind (service, person_key, group_name, source, given_at, given_run, since, since_run, taken_at, taken_run)
      select t.service, t.person_key, g.name, t.source, t.given_at, t.given_run, clock_timestamp(), t.run_id,
        case when t.forced then clock_timestamp() end, case when t.forced then t.run_id end
      from told t cross join lateral jsonb_array_elements_text(t.had) as g (name)
      where (t.given or t.forced) and not t.keeps and not t.groups @> t.had and not ${named(sql`g.name`)}
        and not exists (select 1 from known k where (k.service, k.person_key, k.group_name) = (t.service, t.person_key, g.name))
      on conflict do nothing
    ), carried_along as (
      -- With forceSync a call names also what another source may have given: now it is given.
      insert into left_behind (service, person_key, group_name, source, given_at, given_run)
      select t.service, t.person_key, g.item->>'group', o.source, clock_timestamp(), t.run_id
      from told t cross join lateral jsonb_array_elements(t.results) as g (item)
      cross join lateral (
        select source from people
        where service = t.service and person_key = t.person_key and source <> t.source and last_outcome in ('partial', 'unknown')
        order by source limit 1) o
      where t.forced and g.item->>'status' = 'success' and not t.groups ? (g.item->>'group')
        and not exists (
          select 1 from people
          where service = t.service and person_key = t.person_key and (source <> t.source or not t.given) and groups ? (g.item->>'group'))
        and not exists (
          select 1 from known k where (k.service, k.person_key, k.group_name) = (t.service, t.person_key, g.item->>'group'))
      on conflict do nothing
    ), partly_given as (
      insert into left_behind (service, person_key, group_name, source, given_at, given_run)
      select t.service, t.person_key, g.name, t.source, clock_timestamp(), t.run_id
      from told t cross join lateral jsonb_array_elements_text(t.groups) as g (name)
      where not t.given and not coalesce(t.had ? g.name, false)
        and t.results @> jsonb_build_array(jsonb_build_object('group', g.name, 'status', 'success'))
      ${orAnew}
    )`;

/**
 * Of people to whom nothing is sent since only their groups became fewer: what their source gives them now, and what of
 * it they had before is left behind. After the roster of a run was released, while its people are all still staged.
 */
export async function settleLeftBehind(db: Database, runId: string, isInRange: KeyRange): Promise<void> {
  await sql`
    with settled as materialized (
      select r.service, r.source, r.id as run_id, m.person_key, m.groups, m.fingerprint, p.groups as had, p.given_at, p.given_run,
        (r.settings->>'forceSync')::boolean as force_sync
      from members m join runs r on r.id = m.run_id
      cross join ${givenTo(sql`r.service`, sql`r.source`, sql`m.person_key`)} p
      where m.run_id = ${runId} and ${isInRange(sql`m.person_key`)} and m.left_behind and m.action = 'unchanged'
        and coalesce(p.given_at <= r.created_at, true)
        and not ${keepsOtherRows('p.fingerprint')}
    ), given_again as (
      delete from left_behind l using settled s
      where l.service = s.service and l.person_key = s.person_key and s.groups ? l.group_name
    ), newly_left as (${insertLeft(sql`settled`)})
    update people p set groups = s.groups, fingerprint = s.fingerprint, force_sync = s.force_sync
    from settled s
    where p.service = s.service and p.source = s.source and p.person_key = s.person_key`.execute(db);
}

/** Whether a baseline records member `m` as given elsewhere. */
export const isRecorded = sql<boolean>`m.action in ('new', 'changed', 'again')`;

/** What people are recorded as given elsewhere takes the place of what their source gave them: the rest is left behind. */
export async function leaveByBaseline(db: Database, runId: string, isInRange: KeyRange): Promise<void> {
  await sql`
    with recorded as materialized (
      select r.service, r.source, r.id as run_id, m.person_key, m.groups, p.groups as had, p.given_at, p.given_run,
        ${keepsOtherRows('p.fingerprint')} as keeps
      from members m join runs r on r.id = m.run_id
      left join ${givenTo(sql`r.service`, sql`r.source`, sql`m.person_key`)} p on true
      where m.run_id = ${runId} and ${isInRange(sql`m.person_key`)} and ${isRecorded}
    ), given_again as (
      delete from left_behind l using recorded s
      where l.service = s.service and l.person_key = s.person_key and s.groups ? l.group_name
    )
    ${insertLeft(sql`(select * from recorded where not keeps)`)}`.execute(db);
}

/** Records what people of a table had (`had`) and are not given now (`groups`). */
function insertLeft(table: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into left_behind as l (service, person_key, group_name, source, given_at, given_run, since, since_run)
    select s.service, s.person_key, g.name, s.source, s.given_at, s.given_run, clock_timestamp(), s.run_id
    from ${table} s cross join lateral jsonb_array_elements_text(s.had) as g (name)
    where not s.groups ? g.name
    ${orAnew}`;
}

/**
 * How many people of the roster of a planned run keep groups that it does not name, by it or since earlier ones, and how many
 * groups: no source gives them any more.
 */
export async function keptByPlan(db: Database, { runId, service, source }: RunOfSource, ranges: readonly KeyRange[]) {
  const keptIn = (isInRange: KeyRange) => sql<{ people: number; groups: number }>`
    with kept as (
      select m.person_key, g.name from members m join runs r on r.id = m.run_id
      cross join ${givenTo(sql`${service}`, sql`${source}`, sql`m.person_key`)} p
      cross join lateral jsonb_array_elements_text(p.groups) as g (name)
      where m.run_id = ${runId} and ${isInRange(sql`m.person_key`)}
        and (m.action in ('changed', 'again') or (m.action = 'unchanged' and m.left_behind))
        and not ${isForced} and not ${keepsOtherRows('p.fingerprint')}
        and not m.groups @> p.groups and not m.groups ? g.name
      union
      select l.person_key, l.group_name from left_behind l
      left join ${givenTo(sql`l.service`, sql`l.source`, sql`l.person_key`)} p on true
      where l.service = ${service} and l.source = ${source} and ${isInRange(sql`l.person_key`)}
        and ${isStillThere} and l.since is not null and coalesce(p.missing_runs, 0) = 0
        and not exists (
          select 1 from members m join runs r on r.id = m.run_id
          where m.run_id = ${runId} and m.person_key = l.person_key and (m.groups ? l.group_name
            or (m.action in ('new', 'changed', 'again') and ${isForced})) offset 0)
    )
    select count(distinct k.person_key) as people, count(*) as groups from kept k
    where not exists (
      select 1 from people o
      where o.service = ${service} and o.person_key = k.person_key and o.source <> ${source} and o.groups ? k.name)`;
  return sumOver(db, ranges, keptIn);
}

/**
 * Moves what is left behind at old addresses of people to their new ones; what is known about these takes precedence over it.
 * @param moves rows `m` of `"oldKey"` and `"newKey"`
 */
export async function renameLeftBehind(db: Database, service: string, moves: RawBuilder<unknown>): Promise<void> {
  await sql`
    update left_behind l set person_key = m."newKey" from ${moves}
    where l.service = ${service} and l.person_key = m."oldKey" and not exists (
      select 1 from left_behind o
        where o.service = ${service} and o.person_key = m."newKey" and o.group_name = l.group_name)`.execute(db);
  await forgetLeftBehind(db, service, moves);
}

/** Forgets what is left behind at the old addresses of moves. */
export async function forgetLeftBehind(db: Database, service: string, moves: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from left_behind l using ${moves} where l.service = ${service} and l.person_key = m."oldKey"`.execute(db);
}
