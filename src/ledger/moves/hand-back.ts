// Hand back: what a worker claimed and did not call is due again.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { heldBy } from './claim.ts';
import { supersedeOvertaken } from './supersede.ts';

/** Hands deliveries that were claimed but not called back to the ledger, due after `waitMs`. */
export async function handBack(
  db: Database,
  worker: string,
  handed: readonly { id: number; waitMs: number }[],
): Promise<void> {
  await sql`
    update deliveries d
    set state = 'due', claimed_by = null, called_at = null, due_at = clock_timestamp() + h."waitMs" * interval '1 millisecond'
    from jsonb_to_recordset(${JSON.stringify(handed)}::jsonb) as h (id bigint, "waitMs" double precision)
    where d.id = h.id and ${heldBy(worker)}`.execute(db);
  await supersedeOvertaken(
    db,
    handed.map(({ id }) => id),
  );
}
