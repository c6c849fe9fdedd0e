// Writes receipts of calls whose process has ended since.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type CallRecord, recordAnswers } from './record.ts';

/**
 * Records what a call brought whose process has ended since. Where others have meanwhile taken the delivery back, to
 * repeat the call, and have not begun that, it counts as if they had not.
 */
export async function recordLate(db: Database, worker: string, record: CallRecord): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`
      update deliveries d set state = 'claimed', claimed_by = ${worker}, calls = d.calls - 1, repeated = false
      where d.id = ${record.id} and d.calls = ${record.call} and d.state in ('due', 'queued')
        and not exists (select 1 from receipts r where r.delivery_id = d.id and r.call = ${record.call})
        and not exists (
          select 1 from deliveries o
          where o.service = d.service and o.person_key = d.person_key and o.claimed_by is not null)`.execute(
      transaction,
    );
    await recordAnswers(transaction, worker, [record]);
  });
}
