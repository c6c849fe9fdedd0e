// Cancel: what was not sent yet to a person who is erased.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/**
 * Ends what was not sent yet to a person, at any service, in a transaction of their erasure.
 * @returns how many deliveries that were; undefined while a call for this person is being made
 */
export async function cancelDeliveries(transaction: Database, key: string): Promise<number | undefined> {
  // Nobody claims them from here on, and who has claimed one finds out when it is about to begin.
  await sql`select id from deliveries where person_key = ${key} order by id for update`.execute(transaction);
  await sql`delete from in_hand where person_key = ${key} and called_at is null`.execute(transaction);
  const calls = await sql`select 1 from in_hand where person_key = ${key}`.execute(transaction);
  if (calls.rows.length > 0) return undefined;
  const { numAffectedRows = 0n } = await sql`
    update deliveries set state = 'done', outcome = 'cancelled', ended_at = clock_timestamp()
    where person_key = ${key} and state in ('waiting', 'due')`.execute(transaction);
  return Number(numAffectedRows);
}
