// Adds the count of written backups to the ledger.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How many backups a ledger has written: one that knows of fewer than its newest backup is older than that. */
export const backups: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table ledger add column backups bigint not null default 0`.execute(db);
  },
};
