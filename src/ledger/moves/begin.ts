// Begin: the last look before the request is written. From then on the call counts as in flight.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { isMine, lanesOf } from './in-hand.ts';

/**
 * Still ours, and the run still delivers? Returns those that may be called, with the number of the call; asking twice
 * changes nothing.
 */
export async function beginCalls(
  db: Database,
  worker: string,
  ids: readonly number[],
): Promise<{ id: number; call: number }[]> {
  const { rows } = await sql<{ id: number; call: number }>`
    update in_hand h set called_at = clock_timestamp()
    from ${lanesOf(sql`(select unnest(${ids}::bigint[]) as id)`)} mine
    where ${isMine(worker)}
      and exists (select 1 from runs r where r.id = h.run_id and r.status = 'delivering' offset 0)
    returning h.delivery_id as id, h.call`.execute(db);
  return rows;
}
