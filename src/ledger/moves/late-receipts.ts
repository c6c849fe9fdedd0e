// Writes receipts that come late, whoever has the delivery by then.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { forgetTotals } from '../runs/summaries.ts';
import { type CallRecord, recordAnswers } from './record.ts';

/**
 * Records what a call brought whose process has ended since. Where others have meanwhile taken the delivery back, to
 * repeat the call, and have not begun to, it counts as if they had not: whoever has claimed it finds out at its last look.
 * @returns whether the ledger has the delivery: one that was restored from a copy counts on from there, and the number may be
 *   somebody else's
 */
export async function recordLate(db: Database, worker: string, record: CallRecord): Promise<boolean> {
  const { rows } = await sql`
    select 1 from deliveries where id = ${record.id} and run_id = ${record.run ?? null}`.execute(db);
  if (rows.length === 0) return false;
  const isMissing = sql<boolean>`not exists (
    select 1 from receipts r where r.delivery_id = d.id and r.call = ${record.call})`;
  await recordUnclaimed(db, worker, record, isMissing);
  return true;
}

/**
 * Settles deliveries whose receipts came when others had taken them back: this process had been silent, and
 * seemed dead. As long as nobody has begun to call again, nobody does.
 */
export async function settleTakenBack(db: Database, worker: string, records: readonly CallRecord[]): Promise<void> {
  for (const record of records) await recordUnclaimed(db, worker, record, sql<boolean>`true`);
}

async function recordUnclaimed(
  db: Database,
  worker: string,
  record: CallRecord,
  which: RawBuilder<boolean>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`
      with missing as (
        select d.* from deliveries d
        where d.id = ${record.id} and d.calls = ${record.call} and d.state in ('due', 'waiting') and ${which}
        for no key update
      ), claimed as (
        insert into in_hand (service, person_key, delivery_id, run_id, worker, call, called_at)
        select service, person_key, id, run_id, ${worker}, calls, clock_timestamp() from missing
        on conflict (service, person_key) do update set worker = excluded.worker, call = excluded.call, called_at = excluded.called_at
          where in_hand.delivery_id = excluded.delivery_id and in_hand.called_at is null
        returning delivery_id
      )
      update deliveries d set calls = d.calls - 1, repeated = d.repeated and d.calls > 1 from claimed c
        where d.id = c.delivery_id`.execute(transaction);
    await recordAnswers(transaction, [record]);
    const { rows } = await sql<{ run: string }>`
      select run_id as run from deliveries where id = ${record.id}`.execute(transaction);
    for (const { run } of rows) await forgetTotals(transaction, run);
  });
}
