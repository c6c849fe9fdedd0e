import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Plans that are held and approved, what was given elsewhere, careful releases, and what of answers was seen before. */
export const plan: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      alter table runs
        add column trips jsonb not null default '[]',
        add column held_at timestamptz,
        add column released_at timestamptz,
        add column baseline boolean not null default false,
        add column stage smallint not null default 0;
      -- Whatever is there was released, unless it never came so far.
      update runs set released_at = created_at where status not in ('planning', 'failed');
      create table approvals (
        id bigint generated always as identity primary key,
        run_id text not null references runs on delete cascade,
        at timestamptz not null default clock_timestamp(),
        approved_by text not null,
        note text not null default '',
        hash text not null,
        scope jsonb not null
      );
      create index approvals_run on approvals (run_id);
      alter table deliveries
        add column stage smallint not null default 0,
        add column refusals integer not null default 0;
      create index deliveries_held on deliveries (run_id) where state = 'held';
      create index deliveries_waiting on deliveries (run_id, stage, id) where state = 'waiting';
      alter table members add column resend boolean not null default false;
      alter table people add column refusals integer default 0;
      create table seen_evidence (
        service text not null,
        kind text not null,
        first_seen_at timestamptz not null default clock_timestamp(),
        first_run text not null,
        primary key (service, kind)
      );
    `)
      .execute(db);
  },
};
