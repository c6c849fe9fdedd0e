// Reads the details of a plan: pages of people, kinds of changes, samples.
import { sql } from 'kysely';
import type { ChangedMember } from '../../core/person/member.ts';
import type { PlannedCall } from '../../core/run/plan.ts';
import type { ReleasedRoster, ReleasedRosters } from '../../core/guards/roster-time.ts';
import type { RosterForm } from '../../core/rows/row.ts';
import type { PlanChanges, RunSettings } from '../../core/run/run.ts';
import { type Database, rowOf, rowsOf, type KeyRange, keyRanges, sumOver } from '../database/database.ts';
import { isSent } from '../runs/holds.ts';
import { memberOf } from './staging.ts';
import type { RunOfSource, SourceAt } from '../runs/runs.ts';

/** A page of what a plan would send, in the order of the keys. */
export async function pageToSend(
  db: Database,
  runId: string,
  { all, after, limit }: { all: boolean; after: string; limit: number },
): Promise<PlannedCall[]> {
  return rowsOf<PlannedCall>(db)`
    select m.person_key as key, m.action, m.fingerprint, m.groups::text as groups
    from members m
    where m.run_id = ${runId} and m.person_key > ${after} and ${isSent(all)}
    order by m.person_key limit ${limit}`;
}

/** How many of those who changed have changed in what. */
export async function changesOf(db: Database, { runId, service, source }: RunOfSource): Promise<PlanChanges> {
  const changedIn = (isInRange: KeyRange) => sql<PlanChanges>`
    select count(*) filter (where (p.firstname, p.lastname) is distinct from (m.firstname, m.lastname)) as names,
      count(*) filter (where p.email is distinct from m.email) as addresses,
      count(*) filter (where p.telephone is distinct from m.telephone) as telephones,
      count(*) filter (where not p.groups @> m.groups) as "groupsAdded",
      count(*) filter (where not m.groups @> p.groups) as "groupsRemoved",
      count(*) filter (where p.force_sync is distinct from (r.settings->>'forceSync')::boolean) as "forceSync"
    from members m
    join runs r on r.id = m.run_id
    join people p on p.service = ${service} and p.source = ${source} and p.person_key = m.person_key and p.fingerprint is not null
    where m.run_id = ${runId} and ${isInRange(sql`m.person_key`)} and m.action = 'changed'`;
  return sumOver(db, await keyRanges(db, runId), changedIn);
}

/** The first few of those who changed: what they were given, and what they would be given. */
export async function changedSamples(
  db: Database,
  { runId, service, source }: RunOfSource,
  limit: number,
): Promise<ChangedMember[]> {
  return rowsOf<ChangedMember>(db)`
    select ${memberOf('p', sql`p.force_sync`)} as before, ${memberOf('m', sql`(r.settings->>'forceSync')::boolean`)} as now
    from (
      select m.*, (m.lines->0)::integer as first_line from members m where m.run_id = ${runId} and m.action = 'changed'
      order by first_line offset 0
    ) m
    join runs r on r.id = m.run_id
    cross join lateral (
      select * from people where service = ${service} and source = ${source} and person_key = m.person_key and fingerprint is not null offset 0
    ) p
    order by m.first_line limit ${limit}`;
}

/** The settings of the last run of a source that was released. */
export async function lastSettings(db: Database, { service, source }: SourceAt) {
  return rowOf<{ runId: string; settings: RunSettings }>(db)`
    select id as "runId", settings from runs
    where service = ${service} and source = ${source} and released_at is not null
    order by number desc limit 1`;
}

/** A released roster, and what it was read of. */
type Released = ReleasedRoster & { form: RosterForm; saidTime: string | null };

/** Of released complete rosters, without those of events: the one of the newest time, and one of these bytes. */
export async function releasedRosters(
  db: Database,
  { service, source, checksum }: SourceAt & { checksum: string },
): Promise<{ [Which in keyof ReleasedRosters]: Released }> {
  const rows = await rowsOf<Released & { which: 'newest' | 'same' }>(db)`
    with released as (
      select id as "runId", number, roster->>'time' as time, roster->>'checksum' as checksum, roster->'form' as form,
        roster->>'saidTime' as "saidTime"
      from runs
      where service = ${service} and source = ${source} and released_at is not null and roster is not null
        and not (roster->>'partial')::boolean
    )
    (select 'newest' as which, "runId", time, checksum, form, "saidTime" from released order by time::timestamptz desc, number desc limit 1)
    union all
    (select 'same' as which, "runId", time, checksum, form, "saidTime" from released
      where checksum = ${checksum} order by number desc limit 1)`;
  return Object.fromEntries(rows.map(({ which, ...roster }) => [which, roster]));
}
