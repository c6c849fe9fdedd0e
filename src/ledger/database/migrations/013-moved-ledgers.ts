// A ledger that was exported knows that it is used elsewhere.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const movedLedgers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table ledger add column moved_at timestamptz`.execute(db);
  },
};
