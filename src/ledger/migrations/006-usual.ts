import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What rosters looked like, to know what is usual; and whose rows were rejected, where that can be read. Members begin as
 * unchanged, which most of them are: the others are all that planning has to write.
 */
export const usual: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      create table censuses (
        run_id text primary key references runs on delete cascade,
        census jsonb not null
      );
      create index runs_released on runs (service, source, number) where released_at is not null;
      alter table members alter column action set default 'unchanged';
      alter table rejects add column person_key text;
      create index rejects_person on rejects (run_id, person_key) where person_key is not null;
    `)
      .execute(db);
  },
};
