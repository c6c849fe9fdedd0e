import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who left, who is not to be sent yet, and calls with another `forceSync` than their run's. */
export const departed: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      alter table members
        -- A day as a number, 20261120; null for at once.
        add column starts_on integer,
        add column may_invite boolean not null default false,
        -- Null for that of the run.
        add column force_sync boolean;
      alter table people
        add column missing_runs integer not null default 0,
        add column missing_since timestamptz;
      create index people_missing on people (service, source) where missing_runs > 0;
      alter table runs
        -- Whether its roster says by absence who left.
        add column snapshot boolean not null default false,
        add column missing_noted boolean not null default false;
      create table departures (
        run_id text not null references runs on delete cascade,
        person_key text not null,
        by_row boolean not null,
        is_fresh boolean not null,
        primary key (run_id, person_key)
      );
    `)
      .execute(db);
  },
};
