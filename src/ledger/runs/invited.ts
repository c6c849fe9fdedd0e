// Lists who may have been invited between two times.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** A person who was sent with `invite`, and whom no delivery before gave anything: the service may have e-mailed them. */
export interface Invited {
  /** Its delivery: where the next page goes on. */
  id: number;
  at: Date;
  email: string;
  /** Null once the roster of the run is no longer kept. */
  firstname: string | null;
  lastname: string | null;
  source: string;
  run: string;
  outcome: 'succeeded' | 'partial' | 'unknown';
  service: string;
}

export interface InvitedFilter {
  since?: Date;
  /** Not included. */
  until?: Date;
}

/** A page, the oldest delivery first. */
export async function listInvited(
  db: Database,
  { since = new Date(0), until = new Date(8.64e15) }: InvitedFilter,
  after: number,
  limit: number,
): Promise<Invited[]> {
  const gave = sql`('succeeded', 'partial')`;
  const { rows } = await sql<Invited>`
    select d.id, d.ended_at as at, coalesce(m.email, d.person_key) as email, m.firstname, m.lastname, r.source,
      r.id as run, d.outcome, d.service
    from deliveries d join runs r on r.id = d.run_id
    left join members m on m.run_id = d.run_id and m.person_key = d.person_key
    where d.id > ${after} and d.outcome in ('succeeded', 'partial', 'unknown') and (r.settings->>'invite')::boolean
      and d.ended_at >= ${since} and d.ended_at < ${until}
      and (d.action = 'new' or d.action = 'again' and not exists (
        select 1 from deliveries e where e.service = d.service and e.person_key = d.person_key and e.id < d.id and e.outcome in ${gave}))
    order by d.id limit ${limit}`.execute(db);
  return rows;
}
