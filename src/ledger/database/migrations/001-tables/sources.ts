// The first tables: what servers said about their last rosters; schedules and every time that was due.

export const sources = `
  create table source_states (
    service text not null,
    source text not null,
    run_id text not null references runs on delete cascade,
    digest text not null,
    etag text,
    last_modified text,
    primary key (service, source)
  );
  create table schedules (
    service text not null,
    source text not null,
    cron text not null,
    timezone text not null,
    since timestamptz not null,
    primary key (service, source)
  );
  create table ticks (
    service text not null,
    source text not null,
    due_at timestamptz not null,
    noticed_by text not null,
    worker text not null,
    run_id text,
    result text,
    reason text not null default '',
    begun_at timestamptz not null default clock_timestamp(),
    ended_at timestamptz,
    primary key (service, source, due_at)
  );
  create index ticks_open on ticks (service) where result is null;
`;
