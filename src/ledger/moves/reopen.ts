// Retry: the failures of a run are due again.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type FailureFilter, isFailure } from '../runs/failures.ts';

/**
 * Makes the deliveries of a run that did not succeed due again, or those that a filter means, with fresh attempts and the
 * whole of its deadline. A call whose outcome is unknown is repeated by that (R7). Returns how many.
 */
export async function reopenFailures(db: Database, runId: string, filter: FailureFilter = {}): Promise<number> {
  await sql`update runs set deadline_from = delivered_ms where id = ${runId}`.execute(db);
  // Erased people are not sent again. The job of the last call may still be in the queue for a moment: this is another one.
  const { numAffectedRows = 0n } = await sql`
    update deliveries d
    set state = 'due', outcome = null, ended_at = null, attempts = 0, due_at = now(), reason = '', answer_kind = null, answer_status = null,
      feeds = feeds + 1, repeated = repeated or outcome = 'unknown'
    where d.run_id = ${runId} and ${isFailure(filter)}
      and exists (select 1 from members m where m.run_id = d.run_id and m.person_key = d.person_key)`.execute(db);
  return Number(numAffectedRows);
}
