// Lists and counts groups left behind, and marks them as done.
import type { z } from 'zod';
import type { LeftBehindDocument } from '../../acts/shapes/roster.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PersonHistory } from '../../acts/shapes/person.ts';
import type { Dated } from '../../core/plain.ts';
import { type Database, rowsOf, theRow } from '../database/database.ts';
import { isOfLeaver, isStillThere } from './left-behind.ts';

/** A group that a person still has at a service though no source gives it to them. */
export type LeftBehindGroup = Omit<Dated<z.output<typeof LeftBehindDocument>['leftBehind'][number]>, 'given'> & {
  key: string;
  /** When it was last given, and by which run. */
  givenAt: Date | null;
  givenRun: string | null;
  /** Another source gives it too: only where the source that is asked about is gone. Nobody is to be taken out of it. */
  isGivenElsewhere: boolean;
};

/** Which groups are asked for; absent for all. */
export interface LeftBehindFilter {
  service?: string;
  source?: string;
  group?: string;
  person?: string;
  /** The source is no longer in the settings, so that nobody gives any more what it gave. Only with `source`. */
  isGone?: boolean;
}

/** Where a page ended. */
export interface LeftBehindPlace {
  service: string;
  key: string;
}

/** A condition that holds where nothing is asked for. */
const isAsked = (column: RawBuilder<unknown>, asked: string | undefined): RawBuilder<boolean> =>
  asked === undefined ? sql`true` : sql`${column} = ${asked}`;

/** A page of the people who may have something left behind, in the order of their keys; all of them without a limit. */
function someone(filter: LeftBehindFilter, after: LeftBehindPlace | undefined, limit?: number): RawBuilder<unknown> {
  const { service: at, source, group, person, isGone = false } = filter;
  const page = limit === undefined ? sql`` : sql`order by 1, 2 limit ${limit}`;
  const { service = '', key = '' } = after ?? {};
  const holds = group === undefined ? sql`true` : sql`p.groups ? ${group}`;
  return sql`
    select service, person_key from (
      (select distinct l.service, l.person_key from left_behind l
      where (l.service, l.person_key) > (${service}, ${key}) and ${isStillThere} and ${isAsked(sql`l.service`, at)}
        and ${isAsked(sql`l.source`, source)} and ${isAsked(sql`l.person_key`, person)} and ${isAsked(sql`l.group_name`, group)} ${page})
      union
      (select distinct p.service, p.person_key from people p
      where (p.service, p.person_key) > (${service}, ${key}) and (p.missing_runs > 0 or ${isGone}::boolean) and p.groups is not null
        and ${isAsked(sql`p.service`, at)} and ${isAsked(sql`p.source`, source)} and ${isAsked(sql`p.person_key`, person)} and ${holds} ${page})
    ) either ${page}`;
}

/** Whether nobody gives person `p` of another source, who is there, this group. */
const isGivenElsewhere = (group: RawBuilder<unknown>) => sql<boolean>`exists (
  select 1 from people o where o.service = p.service and o.person_key = p.person_key and o.source <> p.source
    and o.missing_runs = 0 and o.groups ? ${group})`;

/**
 * What `someone` has and no source gives them: what was left behind, and of whom has departed, everything. Not the group of
 * leavers, into which they were put on purpose.
 */
function leftBehindOf({ source, group, isGone = false }: LeftBehindFilter): RawBuilder<unknown> {
  return sql`
    select distinct on (f.service, f.person_key, f.group_name) f.*, coalesce(n.email, f.person_key) as email,
      coalesce(n.firstname, '') as firstname, coalesce(n.lastname, '') as lastname
    from (
      select l.service, l.person_key, l.group_name, l.source, l.given_at, l.given_run,
        coalesce(l.since, p.missing_since) as since, l.since_run, case when l.since is null or p.fingerprint is null then 'departed' else 'changed' end as cause,
        false as is_given_elsewhere
      from someone s join left_behind l on l.service = s.service and l.person_key = s.person_key
      left join people p on p.service = l.service and p.person_key = l.person_key and p.source = l.source
      where ${isStillThere} and (l.since is not null or p.missing_runs > 0 or ${isGone}::boolean) and not exists (
        select 1 from people o where o.service = l.service and o.person_key = l.person_key and o.groups ? l.group_name)
      union all
      select p.service, p.person_key, g.name, p.source, p.given_at, p.given_run, p.missing_since, d.id, 'departed', g.elsewhere
      from someone s join people p on p.service = s.service and p.person_key = s.person_key
      cross join lateral (select n.name, ${isGivenElsewhere(sql`n.name`)} as elsewhere from jsonb_array_elements_text(p.groups) as n (name)) g
      left join lateral (
        select r.id from departures d join runs r on r.id = d.run_id
        where d.person_key = p.person_key and d.is_fresh and r.service = p.service and r.source = p.source and r.released_at is not null
        order by r.number desc limit 1) d on true
      where (p.missing_runs > 0 or ${isGone}::boolean) and not (${isOfLeaver('p.fingerprint')} and g.name = p.groups->>-1)
        and case when g.elsewhere then ${isGone}::boolean else not exists (
          select 1 from left_behind l
          where l.service = p.service and l.person_key = p.person_key and l.group_name = g.name and not ${isStillThere}) end
    ) f
    left join people n on n.service = f.service and n.person_key = f.person_key and n.source = f.source
    where ${isAsked(sql`f.source`, source)} and ${isAsked(sql`f.group_name`, group)}
    order by f.service, f.person_key, f.group_name, f.since desc`;
}

/** The people in question, and what they have: the beginning of a statement. */
function found(filter: LeftBehindFilter, after?: LeftBehindPlace, limit?: number): RawBuilder<unknown> {
  return sql`with someone as materialized (${someone(filter, after, limit)}), found as (${leftBehindOf(filter)})`;
}

/**
 * A page of what so many people have and no source gives them, in the order of their keys, with where it ended; absent
 * after the last one. It may be empty and not the last.
 */
export async function listLeftBehind(
  db: Database,
  filter: LeftBehindFilter,
  after: LeftBehindPlace | undefined,
  limit: number,
): Promise<{ rows: LeftBehindGroup[]; next?: LeftBehindPlace }> {
  const rows = await rowsOf<LeftBehindGroup & { ofService: string; ofKey: string }>(db)`
    ${found(filter, after, limit)}
    select s.service as of_service, s.person_key as of_key, f.service, f.source, f.person_key as key, f.email, f.firstname,
      f.lastname, f.group_name as "group", f.given_at, f.given_run, f.since, f.since_run as run, f.cause, f.is_given_elsewhere
    from someone s left join found f on f.service = s.service and f.person_key = s.person_key
    order by s.service, s.person_key, f.group_name`;
  const last = rows.at(-1);
  const theirs = rows.filter(({ group }) => group !== null);
  return {
    rows: theirs.map(({ ofService: _service, ofKey: _key, ...row }) => row),
    ...(last && { next: { service: last.ofService, key: last.ofKey } }),
  };
}

/** How much is left behind, and the time of the ledger at which that was so. */
export interface LeftBehindCount {
  people: number;
  groups: number;
  /** The people to whom another source gives what a source that is gone gave. */
  alsoGiven: number;
  at: Date;
}

export async function countLeftBehind(db: Database, filter: LeftBehindFilter): Promise<LeftBehindCount> {
  return theRow<LeftBehindCount>(db)`
    ${found(filter)}
    select count(distinct (service, person_key)) filter (where not is_given_elsewhere) as people,
      count(*) filter (where not is_given_elsewhere) as groups, count(distinct (service, person_key)) filter (where is_given_elsewhere) as also_given,
      date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' as at from found`;
}

/**
 * Marks a page of what was left behind before a time as taken out by hand. Who departed no longer counts as having it, and
 * a source that is gone gives none of it: should they come back, they are given it again. Returns how many groups, and where the page ended.
 */
export async function markLeftBehindDone(
  db: Database,
  filter: LeftBehindFilter,
  { before, by, after, limit }: { before: Date; by: string; after?: LeftBehindPlace; limit: number },
): Promise<{ groups: number; next?: LeftBehindPlace }> {
  const { groups, service, key } = await theRow<{ groups: number; service: string | null; key: string | null }>(db)`
    ${found(filter, after, limit)}, chosen as materialized (
      select * from found where coalesce(since <= ${before}, true)
    ), marked as (
      insert into left_behind (service, person_key, group_name, source, given_at, given_run, since, since_run, done_at, done_by)
      select service, person_key, group_name, source, given_at, given_run, since, since_run, clock_timestamp(), ${by}
      from chosen where not is_given_elsewhere
      on conflict (service, person_key, group_name) do update
        set since = excluded.since, since_run = excluded.since_run, done_at = excluded.done_at, done_by = excluded.done_by
    ), emptied as (
      update people p set groups = p.groups - c.groups, fingerprint = p.fingerprint || ':done'
      from (select service, person_key, array_agg(group_name) as groups from chosen group by 1, 2) c
      where p.service = c.service and p.person_key = c.person_key and p.groups ?| c.groups
        and ${filter.isGone ? sql`p.source = ${filter.source}` : sql`p.missing_runs > 0`}
    )
    select (select count(*) from chosen where not is_given_elsewhere) as groups, s.service, s.person_key as key
    from (values (1)) one left join (select * from someone order by 1 desc, 2 desc limit 1) s on true`;
  return { groups, ...(service && key && { next: { service, key } }) };
}

/** What is left behind of one person, and what was until it was taken away: by address and group. */
export async function leftBehindAt(db: Database, keys: readonly string[]) {
  return rowsOf<Dated<PersonHistory['leftBehind'][number]>>(db)`
    with someone as (select distinct service, person_key from people where person_key = any (${keys}::text[])),
      found as (${leftBehindOf({})})
    select service, source, person_key as address, group_name as "group", given_at, given_run, since,
      since_run as run, cause, null::timestamptz as taken_at, null as taken_run, null::timestamptz as done_at, null as done_by
    from found
    union all
    select service, source, person_key, group_name, given_at, given_run, since, since_run, 'changed', taken_at, taken_run, done_at, done_by
    from left_behind l where person_key = any (${keys}::text[]) and not ${isStillThere}
    order by 1, 3, 4`;
}
