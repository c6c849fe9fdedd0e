// Begin: the last look before the request is written. From then on the call counts as in flight.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { heldBy } from './claim.ts';

/**
 * The last look before the request is written: still ours, and the run still delivers? From here on the call
 * counts as in flight. Returns those that may be called, with the number of the call; asking twice changes nothing.
 */
export async function beginCalls(
  db: Database,
  worker: string,
  ids: readonly number[],
): Promise<{ id: number; call: number }[]> {
  const { rows } = await sql<{ id: number; call: number }>`
    update deliveries d set called_at = clock_timestamp()
    where d.id = any (${ids}::bigint[]) and ${heldBy(worker)}
      and exists (select 1 from runs r where r.id = d.run_id and r.status = 'delivering' offset 0)
    returning d.id, d.calls + 1 as call`.execute(db);
  return rows;
}
