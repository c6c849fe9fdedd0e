// Cancel: what was not sent yet to a person who is erased.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** A delivery `d` that waits for nothing but its turn, and whose call has not begun. */
export const isUnsent = sql<boolean>`(
  d.state in ('waiting', 'due', 'queued') or (d.state = 'claimed' and d.called_at is null))`;

/** Ends what was not sent yet to a person, at any service. Returns how many deliveries that were. */
export async function cancelDeliveries(db: Database, key: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update deliveries d set state = 'done', claimed_by = null, outcome = 'cancelled', ended_at = clock_timestamp()
    where d.person_key = ${key} and ${isUnsent}`.execute(db);
  return Number(numAffectedRows);
}
