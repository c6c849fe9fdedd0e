import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Runs, members, rejects, deliveries, receipts, and what everybody was last given. */
export const mainJob: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      create table ledger (id text primary key, created_at timestamptz not null default now());
      create table runs (
        id text primary key,
        number bigint generated always as identity unique,
        source text not null,
        service text not null,
        trigger text not null,
        status text not null,
        status_reason text not null default '',
        stopped_by text,
        settings jsonb not null,
        roster jsonb,
        plan jsonb,
        created_at timestamptz not null default now(),
        worker text not null,
        delivering_since timestamptz,
        delivered_ms bigint not null default 0,
        deadline_from bigint not null default 0,
        finished_at timestamptz
      );
      create unique index runs_one_at_a_time on runs (source, service)
        where status in ('planning', 'delivering') and trigger <> 'event';
      create table workers (id text primary key, seen_at timestamptz not null default now());
      create table paces (service text primary key, share double precision not null);
      create table members (
        run_id text not null references runs on delete cascade,
        person_key text not null,
        file text not null,
        lines jsonb not null,
        firstname text not null,
        lastname text not null,
        email text not null,
        telephone text,
        groups jsonb not null,
        employee_id text,
        fingerprint text not null,
        action text,
        left_behind boolean not null default false,
        primary key (run_id, person_key)
      );
      create table duplicate_rows (
        run_id text not null references runs on delete cascade,
        person_key text not null,
        file text not null,
        line integer not null,
        member jsonb not null
      );
      create index on duplicate_rows (run_id, person_key, line);
      create table rejects (
        id bigint generated always as identity primary key,
        run_id text not null references runs on delete cascade,
        file text not null,
        line integer not null,
        column_name text not null,
        value text not null,
        reason text not null,
        cells jsonb not null
      );
      create index on rejects (run_id, line);
      create table deliveries (
        id bigint generated always as identity primary key,
        run_id text not null references runs on delete cascade,
        service text not null,
        person_key text not null,
        action text not null,
        state text not null default 'due',
        feeds integer not null default 0,
        attempts integer not null default 0,
        calls integer not null default 0,
        repeated boolean not null default false,
        due_at timestamptz not null default now(),
        queued_at timestamptz,
        claimed_by text,
        called_at timestamptz,
        ended_at timestamptz,
        outcome text,
        reason text not null default '',
        alike text not null default '',
        unique (run_id, person_key),
        check ((state = 'claimed') = (claimed_by is not null))
      );
      create unique index deliveries_lane on deliveries (service, person_key) where claimed_by is not null;
      create index deliveries_due on deliveries (run_id, due_at, id) where state = 'due';
      create index deliveries_busy on deliveries (run_id, state) where state in ('queued', 'claimed');
      create index deliveries_ended on deliveries (run_id, ended_at) where state = 'done';
      -- One row per call and no reference that is checked for each: much the most of what is written to a ledger.
      create table receipts (
        delivery_id bigint not null,
        call integer not null,
        id bigint generated always as identity,
        run_id text not null,
        kind text not null,
        http_status integer,
        hash text,
        response_time double precision,
        results jsonb not null,
        notable boolean not null,
        reason text not null,
        headers jsonb not null,
        body text,
        body_cut boolean not null,
        called_at timestamptz not null,
        answered_at timestamptz not null,
        primary key (delivery_id, call)
      );
      create index receipts_called on receipts using brin (called_at) with (pages_per_range = 16);
      create index receipts_run on receipts (run_id);
      create index receipts_notable on receipts (run_id, id) where notable;
      create view group_results as
        select r.delivery_id, r.call, r.run_id, g.position, g.item->>'group' as group_name, g.item->>'status' as status,
          (g.item->>'inserts')::bigint as inserts, (g.item->>'warnings')::bigint as warnings
        from receipts r cross join lateral jsonb_array_elements(r.results) with ordinality as g (item, position);
      create table people (
        service text not null,
        source text not null,
        person_key text not null,
        fingerprint text,
        firstname text,
        lastname text,
        email text,
        telephone text,
        groups jsonb,
        force_sync boolean,
        given_at timestamptz,
        given_run text,
        last_outcome text not null,
        last_run text not null,
        primary key (service, person_key, source)
      );
      insert into ledger (id) values (replace(gen_random_uuid()::text, '-', ''));
    `)
      .execute(db);
  },
};
