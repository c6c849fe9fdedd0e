// The people of a run, page by page: what is planned for each, what holds it, and how it ended.
import { type RawBuilder, sql } from 'kysely';
import type { Outcome } from '../../core/call/outcome.ts';
import type { Trip } from '../../core/guards/trip.ts';
import type { Action } from '../../core/run/run.ts';
import type { Database } from '../database/database.ts';
import type { PlannedFor, PlannedPerson } from '../planning/plan-details.ts';
import { isStopped } from '../runs/holds.ts';

/** A person of a run, and what has happened to them in it. */
export interface PersonOfRun extends PlannedPerson {
  /** Null while their delivery has not ended, and where there is none. */
  outcome: Outcome | null;
  /** Whether a delivery of them waits for an approval. */
  isHeld: boolean;
  /** Why it ended so; empty where there is nothing to say. */
  reason: string;
}

/** Which people of a run are listed; what is absent leaves nobody out. */
export interface PeopleFilter {
  actions?: readonly Action[];
  outcomes?: readonly Outcome[];
  /** Only those whom this guard stops. */
  stoppedBy?: Trip;
  /** In their name or address, in any case. */
  text?: string;
}

/** A page of the people of a run in the order of their keys; `from` is the number of people before it. */
export async function peopleOfRun(
  db: Database,
  { runId, service, source }: PlannedFor,
  { actions, outcomes, stoppedBy, text }: PeopleFilter,
  { from, limit }: { from: number; limit: number },
): Promise<PersonOfRun[]> {
  const { rows } = await sql<PersonOfRun>`
    select m.person_key as key, m.action, m.file, (m.lines->0)::integer as line, m.starts_on as "startsOn", m.resend,
      m.left_behind as "leftBehind", d.outcome, coalesce(d.reason, '') as reason, coalesce(d.state = 'held', false) as "isHeld",
      jsonb_strip_nulls(jsonb_build_object('firstname', m.firstname, 'lastname', m.lastname, 'email', m.email,
        'telephone', m.telephone, 'groups', m.groups, 'forceSync', coalesce(m.force_sync, (r.settings->>'forceSync')::boolean))) as now,
      case when p.fingerprint is null then null else jsonb_strip_nulls(jsonb_build_object('firstname', p.firstname,
        'lastname', p.lastname, 'email', p.email, 'telephone', p.telephone, 'groups', p.groups, 'forceSync', p.force_sync)) end as before
    from members m
    join runs r on r.id = m.run_id
    left join deliveries d on d.run_id = m.run_id and d.person_key = m.person_key
    left join people p on p.service = ${service} and p.source = ${source} and p.person_key = m.person_key
    where m.run_id = ${runId}
      and ${actions ? sql<boolean>`m.action = any (${actions}::text[])` : sql`true`}
      and ${outcomes ? sql<boolean>`d.outcome = any (${outcomes}::text[])` : sql`true`}
      and ${stoppedBy ? isStopped([stoppedBy]) : sql`true`} and ${text ? mentions(text) : sql`true`}
    order by m.person_key offset ${from} limit ${limit}`.execute(db);
  return rows;
}

function mentions(text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<boolean>`(m.firstname || ' ' || m.lastname || ' ' || m.email) ilike ${pattern}`;
}
