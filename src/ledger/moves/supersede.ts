// Supersede: what a newer roster has overtaken, or another run has given, is not sent.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** A delivery `d` whose call has not begun; a worker that has claimed it finds out when it is about to begin. */
const isUnsent = sql<boolean>`(d.state in ('held', 'waiting', 'due', 'queued') or (d.state = 'claimed' and d.called_at is null))`;

/** The run `older` was born of an event that came after the time of the roster of the run `newer`. */
const isLaterEvent = sql<boolean>`(older.beside and (older.roster->>'time')::timestamptz > (newer.roster->>'time')::timestamptz)`;

/**
 * Takes out of older runs of its source what a released roster has overtaken and they have not sent: when it is released,
 * and again when it is delivered, for what was handed back to them meanwhile.
 */
export async function supersedeOlder(db: Database, runId: string): Promise<void> {
  await sql`
    update deliveries d
    set state = 'done', claimed_by = null, outcome = 'superseded', ended_at = clock_timestamp(), reason = 'a newer roster, run ' || newer.id
    from runs older, runs newer
    where newer.id = ${runId} and older.source = newer.source and older.service = newer.service
      and older.number < newer.number and older.status in ('delivering', 'paused', 'halted')
      and d.run_id = older.id and ${isUnsent} and not ${isLaterEvent}
      and (not (newer.roster->>'partial')::boolean
        or exists (select 1 from members m where m.run_id = newer.id and m.person_key = d.person_key))`.execute(db);
}

/**
 * Takes out of a run what a newer released roster of its source has overtaken (R13), before the run goes on.
 * Returns how many deliveries that were.
 */
export async function supersedeByNewer(db: Database, runId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries d
    set state = 'done', claimed_by = null, outcome = 'superseded', ended_at = clock_timestamp(), reason = 'a newer roster, run ' || newer.id
    from runs older, runs newer
    where older.id = ${runId} and d.run_id = older.id and ${isUnsent} and not ${isLaterEvent}
      and newer.source = older.source and newer.service = older.service and newer.number > older.number
      and newer.released_at is not null and newer.roster is not null
      and (not (newer.roster->>'partial')::boolean
        or exists (select 1 from members m where m.run_id = newer.id and m.person_key = d.person_key))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Time does not run backwards for a person (R13): takes out what came back to the ledger (to be tried again, or because its
 * process died) and was overtaken while its call was in flight. A newer run of the source has been released since, and may
 * have sent this person already.
 */
export async function supersedeOvertaken(db: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update deliveries d
    set state = 'done', claimed_by = null, outcome = 'superseded', ended_at = clock_timestamp(), reason = 'a newer roster, run ' || o.newer
    from (
      select own.id, max(newer.id) as newer
      from deliveries own
      join runs older on older.id = own.run_id
      join runs newer on newer.source = older.source and newer.service = older.service and newer.number > older.number
      where own.id = any (${ids}::bigint[]) and newer.released_at is not null and newer.roster is not null and not ${isLaterEvent}
        and (not (newer.roster->>'partial')::boolean
          or exists (select 1 from members m where m.run_id = newer.id and m.person_key = own.person_key))
      group by own.id
    ) o
    where d.id = o.id and ${isUnsent}`.execute(db);
}

/** What is held of a run and was given by a run of its source after it was planned, to the letter. */
export async function supersedeGiven(db: Database, runId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries d
    set state = 'done', outcome = 'superseded', ended_at = clock_timestamp(), reason = 'given meanwhile by run ' || p.given_run
    from runs r, members m, people p
    where r.id = ${runId} and d.run_id = r.id and d.state = 'held' and m.run_id = r.id and m.person_key = d.person_key
      and p.service = r.service and p.source = r.source and p.person_key = m.person_key
      and p.fingerprint = m.fingerprint and p.given_at > r.created_at and p.given_run <> r.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Takes out of these runs what guards hold of them: a newer roster is held or delivered. */
export async function supersedeHeld(db: Database, newer: string, olderIds: readonly string[]): Promise<void> {
  if (olderIds.length === 0) return;
  await sql`
    update deliveries d set state = 'done', outcome = 'superseded', ended_at = clock_timestamp(), reason = 'a newer roster, run ' || ${newer}::text
    where d.run_id = any (${olderIds}::text[]) and d.state = 'held'`.execute(db);
}
