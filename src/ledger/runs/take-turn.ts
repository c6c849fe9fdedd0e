// Of one source, one run at a time is released, approved or continued.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Until the transaction ends: two that do not see each other yet would both be sent, the older one perhaps last. */
export async function takeTurn(transaction: Database, runId: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(service || E'\\n' || source, 0)) from runs where id = ${runId}`.execute(
    transaction,
  );
}
