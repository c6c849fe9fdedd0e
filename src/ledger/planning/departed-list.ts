// Lists who departed from a source, and what they still have.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { isStillThere } from '../people/left-behind.ts';

export interface DepartedPerson {
  key: string;
  firstname: string;
  lastname: string;
  email: string;
  /** Everything they still have: what this source gave them last, and what was left behind before. */
  groups: string[];
  /** When their absence was first noted; null if this run is the first. */
  since: Date | null;
  isFresh: boolean;
}

/** What person `p`, who left, still has: a list without what was taken out, by a call or by hand. */
const hadByLeaver = sql`(
  select coalesce(jsonb_agg(h.name order by h.place, h.name), '[]') from (
    select g.name, g.place from jsonb_array_elements_text(p.groups) with ordinality as g (name, place)
    where not exists (
      select 1 from left_behind l
      where l.service = p.service and l.person_key = p.person_key and l.group_name = g.name and not ${isStillThere})
    union all
    select l.group_name, null from left_behind l
    where l.service = p.service and l.person_key = p.person_key and not p.groups ? l.group_name and ${isStillThere}
  ) h)`;

/** A page of those who left the source of a run, in the order of their keys, `from` of them passed over: as it is known now, and by this run. */
export async function listDeparted(
  db: Database,
  runId: string,
  after: string,
  limit: number,
  from = 0,
): Promise<DepartedPerson[]> {
  const { rows } = await sql<DepartedPerson>`
    select p.person_key as key, p.firstname, p.lastname, p.email, ${hadByLeaver} as groups, p.missing_since as since,
      d.person_key is not null as "isFresh"
    from runs r
    join people p on p.service = r.service and p.source = r.source and p.person_key > ${after} and p.fingerprint is not null
    left join departures d on d.run_id = r.id and d.person_key = p.person_key and d.is_fresh
    where r.id = ${runId} and (p.missing_runs > 0 or d.person_key is not null)
    order by p.person_key offset ${from} limit ${limit}`.execute(db);
  return rows;
}
