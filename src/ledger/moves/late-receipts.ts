// Writes receipts of processes that have ended, whoever has the delivery by then.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { forgetTotals } from '../runs/summaries.ts';
import { type CallRecord, recordAnswers } from './record.ts';

/**
 * Records what a call brought whose process has ended since. Where others have meanwhile taken the delivery back, to
 * repeat the call, and have not claimed that, it counts as if they had not.
 */
export async function recordLate(db: Database, worker: string, record: CallRecord): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`
      with missing as (
        select d.* from deliveries d
        where d.id = ${record.id} and d.calls = ${record.call} and d.state in ('due', 'waiting')
          and not exists (select 1 from receipts r where r.delivery_id = d.id and r.call = ${record.call})
        for no key update
      ), claimed as (
        insert into in_hand (service, person_key, delivery_id, run_id, worker, call, called_at)
        select service, person_key, id, run_id, ${worker}, calls, clock_timestamp() from missing
        on conflict do nothing returning delivery_id
      )
      update deliveries d set calls = d.calls - 1, repeated = false from claimed c where d.id = c.delivery_id`.execute(
      transaction,
    );
    await recordAnswers(transaction, [record]);
    const { rows } = await sql<{ run: string }>`
      select run_id as run from deliveries where id = ${record.id}`.execute(transaction);
    for (const { run } of rows) await forgetTotals(transaction, run);
  });
}
