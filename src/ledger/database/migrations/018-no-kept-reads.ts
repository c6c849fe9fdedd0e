// No copy of what runs read of a directory: each run reads everybody.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const noKeptReads: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('drop table kept_people, kept_reads').execute(db);
  },
};
