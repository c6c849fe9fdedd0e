import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Since when a process gives signs of life. */
export const aliveSince: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw('alter table workers add column alive_since timestamptz not null default clock_timestamp()')
      .execute(db);
  },
};
