// Claim: a worker takes a delivery, and with it the lane of its person.
import { type RawBuilder, sql } from 'kysely';
import type { Member } from '../../core/person/member.ts';
import type { RunSettings } from '../../core/run/run.ts';
import type { Database } from '../database/database.ts';
import type { FedDelivery } from './feed.ts';

/** A delivery in the hands of a worker: everything its call needs. */
export interface ClaimedDelivery {
  id: number;
  runId: string;
  attempts: number;
  settings: RunSettings;
  /** As it will be sent; with `forceSync` its groups are united with what other sources gave this person, or may have. */
  member: Member;
}

interface ClaimedRow extends Omit<ClaimedDelivery, 'member'> {
  firstname: string;
  lastname: string;
  email: string;
  telephone: string | null;
  groups: string[];
  /** Groups that other sources gave this person, or may have given; null without `forceSync`. */
  others: string[] | null;
}

/*
 * What is asked here for every call finds its few rows by their ids, however many others there are and whatever the
 * planner believes of them: `offset 0` keeps it from joining the other way round, and conditions are written so that
 * none of the small indexes (of what is queued, of what is claimed) seems to fit: they are full of dead entries.
 */

/** Whether a delivery `d` is claimed by a worker; only claimed ones have an owner. */
export function heldBy(worker: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(d.claimed_by, '') = ${worker}`;
}

/**
 * Claims queued deliveries for a worker. The lane (R3): a person who is claimed already, by anyone, is not
 * claimed again; that delivery, and those of runs that no longer deliver, go back to the ledger as due. What was
 * queued differently or is no longer queued is left alone: somebody else has dealt with it. Asked again after the
 * answer to the first time was lost, it returns the same. Returns the claimed ones only.
 */
export async function claimDeliveries(
  db: Database,
  worker: string,
  deliveries: readonly FedDelivery[],
): Promise<ClaimedDelivery[]> {
  const claimed = await claimTogether(db, worker, deliveries).catch(async (error: unknown) => {
    if (!isLaneTaken(error) && !isDeadlock(error)) throw error;
    // Another process is claiming some of these people right now: claim one by one to see which.
    const one: ClaimedDelivery[] = [];
    for (const delivery of deliveries) {
      one.push(
        ...(await claimTogether(db, worker, [delivery]).catch((again: unknown) =>
          isLaneTaken(again) ? [] : Promise.reject(again as Error),
        )),
      );
    }
    return one;
  });
  if (claimed.length < deliveries.length) {
    const had = new Set(claimed.map(({ id }) => id));
    await giveBack(
      db,
      deliveries.filter(({ id }) => !had.has(id)),
    );
  }
  return claimed;
}

function isLaneTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'deliveries_lane';
}

/** Two processes may claim the same people in different orders: claiming one person at a time avoids a deadlock. */
function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}

async function claimTogether(
  db: Database,
  worker: string,
  deliveries: readonly FedDelivery[],
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedRow>`
    with candidate as (
      select distinct on (d.service, d.person_key) d.id
      from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as w (id bigint, feeds integer)
      cross join lateral (select * from deliveries where id = w.id offset 0) d
      join runs r on r.id = d.run_id
      where d.feeds = w.feeds and r.status = 'delivering'
        and (d.state = 'queued' or (${heldBy(worker)} and d.called_at is null))
        and not exists (
          select 1 from deliveries o
          where o.service = d.service and o.person_key = d.person_key and o.claimed_by is not null and o.id <> d.id offset 0
        )
      order by d.service, d.person_key, d.id
    ), claimed as (
      update deliveries d set state = 'claimed', claimed_by = ${worker}
      from candidate c where d.id = c.id and d.state not in ('due', 'done') and coalesce(d.claimed_by, ${worker}) = ${worker}
      returning d.id, d.run_id, d.service, d.person_key, d.attempts
    )
    select c.id, c.run_id as "runId", c.attempts, m.firstname, m.lastname, m.email, m.telephone, m.groups,
      r.settings || jsonb_strip_nulls(jsonb_build_object('forceSync', m.force_sync,
        'invite', case when m.action = 'departed' then false end)) as settings,
      case when coalesce(m.force_sync, (r.settings->>'forceSync')::boolean) then (
        select jsonb_agg(distinct g) from people p
        left join members w on p.last_outcome in ('partial', 'unknown') and w.run_id = p.last_run and w.person_key = p.person_key
        cross join lateral jsonb_array_elements_text(coalesce(p.groups, '[]') || coalesce(w.groups, '[]')) g
        where p.service = c.service and p.person_key = c.person_key and p.source <> r.source
      ) end as others
    from claimed c
    join runs r on r.id = c.run_id
    join members m on m.run_id = c.run_id and m.person_key = c.person_key`.execute(db);
  return rows.map(({ id, runId, attempts, settings, firstname, lastname, email, telephone, groups, others }) => ({
    id,
    runId,
    attempts,
    settings,
    member: {
      firstname,
      lastname,
      email,
      ...(telephone === null ? {} : { telephone }),
      groups: [...new Set([...groups, ...(others ?? [])])],
    },
  }));
}

async function giveBack(db: Database, deliveries: readonly FedDelivery[]): Promise<void> {
  await sql`
    update deliveries d set state = 'due', due_at = clock_timestamp() + interval '1 second'
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as w (id bigint, feeds integer)
    where d.id = w.id and d.feeds = w.feeds and d.state = 'queued'`.execute(db);
}
