// Sources that are kept in the ledger.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How files of a kind are read and mapped, as somebody kept it on the pages. */
export const keptSources: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table kept_sources (
        name text primary key,
        block text not null,
        kept_by text not null,
        kept_at timestamptz not null default clock_timestamp()
      )`.execute(db);
  },
};
