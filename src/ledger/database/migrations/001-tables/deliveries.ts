// The first tables: deliveries and their receipts.

export const deliveries = `
  create table deliveries (
    id bigint generated always as identity primary key,
    run_id text not null references runs on delete cascade,
    service text not null,
    person_key text not null,
    action text not null,
    state text not null default 'due',
    stage smallint not null default 0,
    feeds integer not null default 0,
    attempts integer not null default 0,
    calls integer not null default 0,
    refusals integer not null default 0,
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
  create index deliveries_held on deliveries (run_id) where state = 'held';
  create index deliveries_waiting on deliveries (run_id, stage, id) where state = 'waiting';
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
`;
