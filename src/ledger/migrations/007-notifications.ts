import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What is to be told of runs, and to whom. The database itself counts the changes of a run's state, whoever makes them, so
 * that each is told once.
 */
export const notifications: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      alter table runs add column state_changes integer not null default 0;
      alter table runs add column state_since timestamptz;
      update runs set state_since = coalesce(finished_at, created_at);
      alter table runs alter column state_since set default clock_timestamp();
      alter table runs alter column state_since set not null;
      create index runs_state_since on runs (state_since);
      create function note_state_change() returns trigger language plpgsql as $$
      begin
        new.state_changes := old.state_changes + 1;
        new.state_since := clock_timestamp();
        return new;
      end $$;
      create trigger runs_state_change before update of status on runs
        for each row when (old.status is distinct from new.status) execute function note_state_change();
      create table notifications (
        id bigint generated always as identity primary key,
        run_id text not null references runs on delete cascade,
        event text not null,
        -- Which change of the run's state it is, and which day of a reminder: what is told once.
        occasion text not null,
        state_changes integer not null,
        channel text not null,
        created_at timestamptz not null default clock_timestamp(),
        due_at timestamptz not null default clock_timestamp(),
        attempts integer not null default 0,
        -- 'sent', 'outdated' (no longer true when its turn came), 'given-up'
        ended text,
        ended_at timestamptz,
        trouble text not null default '',
        unique (run_id, occasion, channel)
      );
      create index notifications_open on notifications (due_at) where ended is null;
    `)
      .execute(db);
  },
};
