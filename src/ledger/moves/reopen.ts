// Retry: the failures of a run are due again.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/**
 * Makes the deliveries of a run that did not succeed due again, with fresh attempts and the whole of its deadline.
 * Returns how many.
 */
export async function reopenFailures(db: Database, runId: string): Promise<number> {
  await db
    .updateTable('runs')
    .set({ deadline_from: sql<number>`delivered_ms` })
    .where('id', '=', runId)
    .execute();
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({
      ...{ state: 'due', outcome: null, ended_at: null, attempts: 0, due_at: sql<Date>`now()`, reason: '' },
      ...{ answer_kind: null, answer_status: null },
    })
    .where('run_id', '=', runId)
    .where('outcome', 'in', ['partial', 'failed', 'unknown'])
    // Erased people are not sent again.
    .where(sql<boolean>`exists (
      select 1 from members m where m.run_id = deliveries.run_id and m.person_key = deliveries.person_key)`)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
