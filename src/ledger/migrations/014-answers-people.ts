import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Snapshots of answers that were due, and what people answered, for those who want that kept. */
export const answersPeople: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      -- Null where a person asked for it.
      alter table answer_snapshots add column due_at timestamptz;
      create unique index answer_snapshots_due on answer_snapshots (service, due_at, md5(request::text));
      create table person_answers (
        -- Counts once that snapshot is there.
        snapshot_id bigint not null,
        number bigint not null,
        service text not null,
        app_id text not null,
        story_id text not null,
        story text not null,
        question text not null,
        person_key text not null,
        response text not null,
        correct boolean,
        attempts double precision,
        taken_at timestamptz not null default clock_timestamp(),
        primary key (snapshot_id, number)
      );
      create index person_answers_person on person_answers (person_key);
      create index person_answers_story on person_answers (service, app_id, story_id, snapshot_id);
      create index person_answers_taken on person_answers (taken_at);
    `)
      .execute(db);
  },
};
