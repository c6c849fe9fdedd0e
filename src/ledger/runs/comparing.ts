// Compares two runs of a source: who is new, gone or changed from one to the other.
import { type Database, rowsOf } from '../database/database.ts';

/** Runs of a source, by their numbers: those after the first, up to the last. */
export interface RunsBetween {
  service: string;
  source: string;
  from: number;
  to: number;
}

export interface ComparedPerson {
  key: string;
  change: 'new' | 'gone' | 'changed';
  email: string;
  firstname: string;
  lastname: string;
  groups: string[];
}

/**
 * A page of the people, in the order of their keys. A roster is not kept whole: what happened to somebody in the runs that were
 * released between, and in the last one, is taken together. Who came and left again is none of them. `isRemoved`: retention
 * has removed some of it.
 */
export async function compareRuns(
  db: Database,
  { service, source, from, to }: RunsBetween,
  { after, limit }: { after: string; limit: number },
): Promise<{ counts: Record<ComparedPerson['change'], number>; people: ComparedPerson[]; isRemoved: boolean }> {
  const rows = await rowsOf<{ counts: Record<string, number>; people: ComparedPerson[]; isRemoved: boolean }>(db)`
    with between_them as (
      select id, number, coalesce(roster_removed_at, receipts_removed_at) as removed_at from runs
      where service = ${service} and source = ${source} and number > ${from} and number <= ${to}
        and (released_at is not null or number = ${to})
    ), happened as (
      select b.number, m.person_key as key, m.action as what, m.email, m.firstname, m.lastname, m.groups
      from between_them b join members m on m.run_id = b.id where m.action in ('new', 'changed')
      union all
      select b.number, d.person_key, 'gone', p.email, p.firstname, p.lastname, p.groups
      from between_them b join departures d on d.run_id = b.id and d.is_fresh
      join people p on p.service = ${service} and p.source = ${source} and p.person_key = d.person_key
    ), compared as (
      select distinct on (key) key, email, firstname, lastname, groups,
        case when what = 'gone' then 'gone' when first_value(what) over whole = 'new' then 'new' else 'changed' end as change,
        first_value(what) over whole = 'new' and what = 'gone' as is_passing
      from happened
      window whole as (partition by key order by number)
      order by key, number desc
    )
    select (select jsonb_object_agg(change, people) from (
        select change, count(*) as people from compared where not is_passing group by change) c) as counts,
      (select coalesce(jsonb_agg(to_jsonb(page) - 'is_passing' order by key), '[]') from (
        select * from compared where not is_passing and key > ${after} order by key limit ${limit}) page) as people,
      exists (select 1 from between_them where removed_at is not null) as "isRemoved"`;
  const [{ counts, people, isRemoved } = { counts: {}, people: [], isRemoved: false }] = rows;
  return { counts: { new: 0, gone: 0, changed: 0, ...counts }, people, isRemoved };
}
