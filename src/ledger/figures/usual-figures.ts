// Stores censuses of rosters, and computes what a plan would do to groups.
import { sql } from 'kysely';
import { defined } from '../../core/defined.ts';
import type { GroupMove, Removals } from '../../core/guards/trip.ts';
import { type RosterCensus, type Most, recentDays, type ReleasedCensus } from '../../core/guards/usual.ts';
import { countOf, type Database, isThere, rowOf, rowsOf, theRow, toJson } from '../database/database.ts';
import { leftGroups } from '../people/left-behind.ts';
import type { RunOfSource, SourceAt } from '../runs/runs.ts';
import { listedRows } from '../planning/unchanged-people.ts';

/** The number of last rosters that say what is usual. */
const mostRosters = 5;
/** How far back a slow loss is seen, by the last roster of each day. */
const recently = sql.raw(`clock_timestamp() - interval '${recentDays} days'`);

/** Whether somebody approved a run `r`, or what was held of it. */
const isApproved = sql<boolean>`exists (select 1 from approvals a where a.run_id = r.id)`;

const isApprovedWhole = sql<boolean>`exists (select 1 from approvals a where a.run_id = r.id and a.scope = '{}')`;

/**
 * Whether a run `r` says what is usual: a complete roster that was released, of which nothing but people whom an approval had
 * left out was held, or of which somebody approved all, or more than they left out.
 */
const isUsual = sql<boolean>`(
  r.released_at is not null and not (r.roster->>'partial')::boolean
  and (r.status <> 'cancelled' or r.superseded_by is not null and r.held_at is not null)
  and exists (select 1 from censuses c where c.run_id = r.id)
  and (r.held_at is null
    or not exists (select 1 from jsonb_array_elements(r.trips) t where t->>'guard' <> 'withheld')
    or ${isApprovedWhole}
    or ${isApproved} and (select 2 * count(*) filter (where d.state = 'held' or d.outcome in ('cancelled', 'superseded')) < count(*)
      from deliveries d where d.run_id = r.id))
)`;

/**
 * Whether a run was released and gave somebody something, or found that they have it: one of rejects alone was never looked
 * at, and one that was cancelled before anything arrived was not wanted. What comes after it is still the first of its source.
 */
const hadPeople = (run: 'r' | 'w') => {
  const r = sql.raw(run);
  return sql<boolean>`(${r}.released_at is not null and case when ${r}.status = 'cancelled'
    then exists (select 1 from deliveries d
      where d.run_id = ${r}.id and d.state = 'done' and d.outcome in ('succeeded', 'partial', 'unknown'))
    else ${r}.baseline or (${r}.plan->>'calls')::integer > 0 or (${r}.plan->'counts'->>'unchanged')::integer > 0 end)`;
};

/** Records what the roster of a run looks like; groups of rosters that no longer count as the last one, or the last of a recent day, are left out. */
export async function keepCensus(db: Database, runId: string, census: RosterCensus): Promise<void> {
  await sql`
    insert into censuses (run_id, census) values (${runId}, ${toJson(census)}::jsonb)
    on conflict (run_id) do update set census = excluded.census`.execute(db);
  await sql`
    update censuses c set census = jsonb_set(c.census, '{groups}', '{}')
    from runs old, runs own
    where own.id = ${runId} and old.service = own.service and old.source = own.source and c.run_id = old.id and c.census->'groups' <> '{}'
      and exists (
        select 1 from runs r where r.service = own.service and r.source = own.source and r.number > old.number
          and (r.created_at::date = old.created_at::date or old.created_at < ${recently}) and ${isUsual}
      )`.execute(db);
}

/**
 * The rosters that a run was compared with, the last five that say what is usual, the oldest first; only the newest has its
 * groups. `now` is its own, absent of a run that was not compared.
 */
export async function lastCensuses(db: Database, runId: string) {
  const rows = await rowsOf<{ at: Date; census: RosterCensus; isOwn: boolean }>(db)`
    select r.created_at as at, c.census, r.id = ${runId} as "isOwn"
    from (
      (select r.* from runs r join runs own on own.id = ${runId}
        where r.service = own.service and r.source = own.source and r.number < own.number and ${isUsual}
        order by r.number desc limit ${mostRosters})
      union all (select * from runs where id = ${runId})
    ) r join censuses c on c.run_id = r.id
    order by r.number`;
  const now = rows.find(({ isOwn }) => isOwn)?.census;
  const before = rows.filter(({ isOwn }) => !isOwn).map(({ at, census }) => ({ at, census }));
  return { before, ...defined({ now }) };
}

/**
 * What is known about the rosters of a source that were released: the censuses of complete ones of which no guard stopped
 * anything, or that somebody approved, the newest first, and only it with its groups; the last run that was released and had
 * people, one of everybody before any of only some; whether a complete roster was, whatever it held; and the most that such
 * a one recently had, since somebody approved one.
 */
export async function historyOf(db: Database, { service, source }: SourceAt) {
  const censuses = await rowsOf<ReleasedCensus>(db)`
    select jsonb_set(c.census, '{groups}', case when row_number() over (order by r.number desc) = 1 then c.census->'groups' else '{}' end)
        as census, r.held_at is not null and ${isApproved} as "isApproved",
        r.held_at is not null and not ${isApprovedWhole} as "isInPart"
    from (
      select r.* from runs r
      where r.service = ${service} and r.source = ${source} and ${isUsual}
      order by r.number desc limit ${mostRosters}
    ) r join censuses c on c.run_id = r.id
    order by r.number desc`;
  const most = await theRow<Most>(db)`
    with recent as (
      select r.number, r.created_at, r.held_at is not null and ${isApproved} as approved, c.census from runs r join censuses c on c.run_id = r.id
      where r.service = ${service} and r.source = ${source} and r.created_at > ${recently} and ${isUsual}
    ), days as (
      select distinct on (created_at::date) census from recent
      where number >= coalesce((select max(number) from recent where approved), 0) order by created_at::date, number desc
    )
    select coalesce(max((census->>'rows')::bigint), 0) as rows, coalesce(max((census->>'members')::bigint), 0) as members,
      (select coalesce(jsonb_object_agg(name, people), '{}') from (
        select g.key as name, max(g.value::bigint) as people from days, jsonb_each_text(census->'groups') g group by 1) most) as groups
    from days`;
  const last = await rowOf<{ id: string; forceSync: boolean; hadWhole: boolean }>(db)`
    select r.id, (r.settings->>'forceSync')::boolean as "forceSync", exists (
        select 1 from runs w where w.service = r.service and w.source = r.source and ${hadPeople('w')}
          and not (w.roster->>'partial')::boolean
      ) as "hadWhole"
    from runs r
    where r.service = ${service} and r.source = ${source} and ${hadPeople('r')}
    order by (r.roster->>'partial')::boolean, r.number desc limit 1`;
  return { censuses, ...(censuses.length > 0 && { most }), ...defined({ last }), hadWhole: last?.hadWhole ?? false };
}

/** Whether another source of a service has sent with `forceSync`, and no roster of everybody without it since. */
export async function isForcedElsewhere(db: Database, { service, source }: SourceAt): Promise<boolean> {
  return isThere(db)`
    select 1 from runs r
    where r.service = ${service} and r.source <> ${source} and r.released_at is not null and (r.settings->>'forceSync')::boolean
      and not exists (
        select 1 from runs n
        where n.service = r.service and n.source = r.source and n.number > r.number and n.released_at is not null
          and not (n.roster->>'partial')::boolean and not (n.settings->>'forceSync')::boolean)
    limit 1`;
}

/** Whether the ledger was rebuilt, and no roster of a source was released since: none at all, or no complete one. */
export async function isRebuilt(db: Database, { service, source }: SourceAt, orPartial: boolean): Promise<boolean> {
  return isThere(db)`
    select 1 from ledger where rebuilt_at is not null and not exists (
      select 1 from runs r where r.service = ${service} and r.source = ${source} and r.released_at > rebuilt_at
        and ${hadPeople('r')} and (${orPartial} or not (r.roster->>'partial')::boolean))`;
}

/** How many people a source has given anything to. */
export async function countKnown(db: Database, { service, source }: SourceAt): Promise<number> {
  return countOf(db)`
    select count(*) as count from people where service = ${service} and source = ${source} and fingerprint is not null`;
}

/** How many of a run's people each source of its service knew before. */
export async function knownBySource(
  db: Database,
  { runId, service }: { runId: string; service: string },
): Promise<{ source: string; people: number }[]> {
  return rowsOf<{ source: string; people: number }>(db)`
    select p.source, count(*) as people
    from (
      select person_key from members where run_id = ${runId} and action <> 'departed'
      union all select u.key from ${listedRows(runId)} u
    ) m join people p on p.service = ${service} and p.person_key = m.person_key
    group by 1`;
}

/** How many people of a run were given a group of `from` before and are in one of `to` now, for each two of them. */
export async function groupMoves(
  db: Database,
  { runId, service, source }: RunOfSource,
  { from, to }: { from: readonly string[]; to: readonly string[] },
): Promise<GroupMove[]> {
  return rowsOf<GroupMove>(db)`
    select old.name as "from", fresh.name as "to", count(*) as people
    from (
      select person_key, groups from members where run_id = ${runId} and action <> 'departed'
      union all select u.key, null from ${listedRows(runId)} u
    ) m
    join people p on p.service = ${service} and p.source = ${source} and p.person_key = m.person_key
    cross join lateral (select coalesce(m.groups, p.groups) as groups) now
    cross join lateral jsonb_array_elements_text(p.groups) as old (name)
    cross join lateral jsonb_array_elements_text(now.groups) as fresh (name)
    where p.groups ?| ${from}::text[] and now.groups ?| ${to}::text[]
      and old.name = any(${from}::text[]) and fresh.name = any(${to}::text[])
    group by 1, 2`;
}

/** How many people lose each of these groups by a run, or are missing from it for the first time, and are sent nothing. */
export async function lostSilently(
  db: Database,
  { runId, service, source, forceSync }: RunOfSource & { forceSync: boolean },
  groups: readonly string[],
) {
  return rowsOf<{ group: string; people: number }>(db)`
    select g.name as "group", count(*) as people
    from (
      select person_key, groups from members
      where run_id = ${runId} and action = 'unchanged' and left_behind and not ${forceSync}::boolean
      union all select d.person_key, '[]' from departures d where d.run_id = ${runId} and d.is_fresh and not d.by_row
        and not exists (select 1 from members e where e.run_id = d.run_id and e.person_key = d.person_key)) m
    join people p on p.service = ${service} and p.source = ${source} and p.person_key = m.person_key
    cross join lateral jsonb_array_elements_text(p.groups) as g (name)
    where g.name = any (${groups}::text[]) and not m.groups ? g.name
    group by 1`;
}

/**
 * What the calls of a run would take away of what its source gave, with `forceSync`: not what other sources give, since
 * each call carries that too. Of people who left, that is what is meant.
 */
export async function removalsOf(db: Database, { runId, service, source }: RunOfSource): Promise<Removals> {
  return theRow<Removals>(db)`
    select count(*) as people, coalesce(sum(taken), 0)::bigint as memberships
    from members m
    join people p on p.service = ${service} and p.source = ${source} and p.person_key = m.person_key
    cross join lateral (
      select count(*) as taken from jsonb_array_elements_text(p.groups || ${leftGroups(service, source)}) as g (name)
      where not m.groups ? g.name and not exists (
        select 1 from people o
        where o.service = ${service} and o.person_key = m.person_key and o.source <> ${source} and o.groups ? g.name
      )
    ) gone
    where m.run_id = ${runId} and m.action not in ('unchanged', 'later', 'departed') and gone.taken > 0`;
}

/** The column that most rejects of a run blame, and how many do. */
export async function mostBlamed(
  db: Database,
  runId: string,
): Promise<{ column: string; rejects: number } | undefined> {
  return rowOf<{ column: string; rejects: number }>(db)`
    select column_name as "column", count(*) as rejects from rejects
    where run_id = ${runId} group by 1 order by 2 desc, 1 limit 1`;
}
