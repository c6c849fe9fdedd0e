// Who was put into which group by one run, as far as the service has confirmed it; and where that is unknown.
import { sql } from 'kysely';
import { type Database, rowsOf } from '../database/database.ts';
import { outcomeOf } from './reading.ts';

/** One person and one group that a run put them into, or may have. */
export interface Insert {
  email: string;
  firstname: string;
  lastname: string;
  group: string;
  /** `unknown`: no answer says so, and a call may have done it. */
  result: 'inserted' | 'unknown';
  /** What the answers with `success` say together; 0 where the result is unknown. */
  inserts: number;
  /** When the last answer of the service came; null where none did. */
  answeredAt: Date | null;
  /** `hash` of that answer. */
  hash: string | null;
  /** Why the result is unknown, where there is a reason; otherwise empty. */
  reason: string;
}

/** With its delivery: where the next page goes on. */
export type ListedInsert = Omit<Insert, 'group'> & { deliveryId: number; group: string | null };

/** A call whose effect nobody knows: its answer never came, or was of a kind not seen before (R7). */
const isUnclear = sql<boolean>`(d.repeated and d.calls > 0
  or ${outcomeOf} = 'unknown' and not exists (select 1 from receipts a where a.delivery_id = d.id and a.kind = 'accepted')
  or exists (select 1 from receipts u where u.delivery_id = d.id and u.notable and u.kind in ('may-have-happened', 'unrecognised')))`;

/**
 * A page of it, in the order of the plan: a row for each person and group. All calls of the run count, since what a first call
 * inserted is no insert of a second one. A group is not listed that was answered each time, and never with an insert. Each
 * person of a page has a row: one without a group where nothing is to be listed.
 * @param deliveries the number of people
 */
export async function listInserts(
  db: Database,
  runId: string,
  { after, deliveries }: { after: number; deliveries: number },
): Promise<ListedInsert[]> {
  return rowsOf<ListedInsert>(db)`
    with page as materialized (
      select d.id, d.person_key, d.reason, ${isUnclear} as is_unclear,
        (select count(*) from receipts a where a.delivery_id = d.id and a.kind = 'accepted') as answers
      from deliveries d join runs r on r.id = d.run_id
      where d.run_id = ${runId} and d.id > ${after}
        and exists (select 1 from members m where m.run_id = d.run_id and m.person_key = d.person_key) and (d.outcome = 'unknown' or d.calls > 1 or ${isUnclear}
        or exists (select 1 from group_results g where g.delivery_id = d.id and g.inserts > 0))
      order by d.id limit ${deliveries}
    ), said as (
      select p.id, normalize(g.group_name, nfc) as name, min(g.position) as position, count(distinct g.call) as answers,
        coalesce(sum(g.inserts) filter (where g.status = 'success'), 0)::bigint as inserts,
        bool_or(g.status <> 'success' and g.inserts > 0) as is_odd
      from page p join group_results g on g.delivery_id = p.id group by 1, 2
    ), asked as (
      select p.id, normalize(g.name, nfc) as name, g.position from page p
      join members m on m.run_id = ${runId} and m.person_key = p.person_key
      cross join lateral jsonb_array_elements_text(m.groups) with ordinality as g (name, position)
    ), listed as (
      select id, name, coalesce(said.inserts, 0) as inserts, coalesce(asked.position, 100000 + said.position) as position
      from asked full join said using (id, name) join page p using (id)
      where said.inserts > 0 or said.is_odd or p.is_unclear or asked.name is not null and coalesce(said.answers, 0) < p.answers
    )
    select p.id as delivery_id, m.email, m.firstname, m.lastname, l.name as "group",
      case when l.inserts > 0 then 'inserted' else 'unknown' end as result, l.inserts, last.answered_at, last.hash,
      case when l.inserts > 0 then '' else p.reason end as reason
    from page p
    join members m on m.run_id = ${runId} and m.person_key = p.person_key
    left join listed l on l.id = p.id
    left join lateral (
      select answered_at, hash from receipts where delivery_id = p.id and http_status is not null order by call desc limit 1) last on true
    order by p.id, l.position`;
}
