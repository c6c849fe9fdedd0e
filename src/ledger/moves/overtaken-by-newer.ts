// Supersedes returned deliveries that a newer run has overtaken; lets one run of a source be released at a time.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** A delivery `d` whose call has not begun; a worker that has claimed it finds out when it is about to begin. */
export const isUnsent = sql<boolean>`(d.state in ('held', 'waiting', 'due', 'queued') or (d.state = 'claimed' and d.called_at is null))`;

/** The run `older` was born of an event that came after the time of the roster of the run `newer`. */
export const isLaterEvent = sql<boolean>`(older.beside and (older.roster->>'time')::timestamptz > (newer.roster->>'time')::timestamptz)`;

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

/**
 * Of one source one run at a time is released, approved or continued, until the transaction ends: two that do not see
 * each other yet would both be sent, the older one perhaps last.
 */
export async function takeTurn(transaction: Database, runId: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(service || E'\\n' || source, 0)) from runs where id = ${runId}`.execute(
    transaction,
  );
}
