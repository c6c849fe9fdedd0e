// Creates or updates BullMQ's tables in PostgreSQL.
import { runMigrations } from 'bullmq';
import type { Pool } from 'pg';

/** Makes or updates BullMQ's tables, in their own schema of the ledger's database. Costs little where they are up to date. */
export async function prepareQueue(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, 'bullmq', {});
  } finally {
    client.release();
  }
}
