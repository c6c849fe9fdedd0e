import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What stories were answered at a time; counts only, no person is in it. */
export const answers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      create table answer_snapshots (
        id bigint generated always as identity primary key,
        service text not null,
        taken_at timestamptz not null default clock_timestamp(),
        request jsonb not null,
        answers bigint not null,
        stories jsonb not null
      );
      create index answer_snapshots_taken on answer_snapshots (service, taken_at);
    `)
      .execute(db);
  },
};
