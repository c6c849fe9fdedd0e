// The first tables: notifications about runs and answers, and whether they were sent.

export const notifications = `
  create table notifications (
    id bigint generated always as identity primary key,
    run_id text references runs on delete cascade,
    service text,
    source text,
    tick_due_at timestamptz,
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
    unique (run_id, occasion, channel),
    unique (service, source, tick_due_at, channel),
    foreign key (service, source, tick_due_at) references ticks on delete cascade,
    check ((run_id is null) = (service is not null and source is not null and tick_due_at is not null))
  );
  create index notifications_open on notifications (due_at) where ended is null;
`;
