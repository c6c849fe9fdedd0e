import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the server of a source said of its last roster. */
export const sourceStates: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      create table source_states (
        service text not null,
        source text not null,
        run_id text not null references runs on delete cascade,
        digest text not null,
        etag text,
        last_modified text,
        primary key (service, source)
      );
    `)
      .execute(db);
  },
};
