// The first tables: runs, whose changes of state the database itself counts.

export const runs = `
  create table runs (
    id text primary key,
    number bigint generated always as identity unique,
    source text not null,
    service text not null,
    trigger text not null,
    -- A few people, who pass beside the run of their source, whatever started that one.
    beside boolean not null default false,
    status text not null,
    status_reason text not null default '',
    stopped_by text,
    state_changes integer not null default 0,
    state_since timestamptz not null default clock_timestamp(),
    settings jsonb not null,
    roster jsonb,
    -- Whether its roster says by absence who left.
    snapshot boolean not null default false,
    missing_noted boolean not null default false,
    plan jsonb,
    trips jsonb not null default '[]',
    baseline boolean not null default false,
    stage smallint not null default 0,
    created_at timestamptz not null default now(),
    worker text not null,
    held_at timestamptz,
    released_at timestamptz,
    delivering_since timestamptz,
    delivered_ms bigint not null default 0,
    deadline_from bigint not null default 0,
    finished_at timestamptz,
    answers_removed_at timestamptz,
    roster_removed_at timestamptz,
    receipts_removed_at timestamptz
  );
  create unique index runs_one_at_a_time on runs (source, service)
    where status in ('planning', 'delivering') and not beside;
  create index runs_released on runs (service, source, number) where released_at is not null;
  create index runs_state_since on runs (state_since);
  create function note_state_change() returns trigger language plpgsql as $$
  begin
    new.state_changes := old.state_changes + 1;
    new.state_since := clock_timestamp();
    return new;
  end $$;
  create trigger runs_state_change before update of status on runs
    for each row when (old.status is distinct from new.status) execute function note_state_change();
`;
