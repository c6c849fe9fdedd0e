// Adds the table of throttles: until when a service is rate-limiting us.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const throttles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table paces add column throttled_until timestamptz, add column throttled_ms double precision,
      add column throttle_reason text`.execute(db);
  },
};
