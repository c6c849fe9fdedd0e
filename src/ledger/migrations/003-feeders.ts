import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which process feeds the queue of a service. */
export const feeders: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw('create table feeders (service text primary key, worker text not null, until timestamptz not null)')
      .execute(db);
  },
};
