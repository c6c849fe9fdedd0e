// The first tables: events that HR systems sent, until they are handled, and who handles them.

export const events = `
  create table events (
    id bigint generated always as identity primary key,
    source text not null,
    key text not null,
    received_at timestamptz not null default clock_timestamp(),
    kind text not null,
    employees jsonb,
    people jsonb,
    body text,
    state text not null default 'waiting',
    run_id text,
    handled_at timestamptz,
    unique (source, key)
  );
  create index events_with_people on events (source, id) where state = 'waiting' and people is not null;
  create index events_without_people on events (source, id) where state = 'waiting' and people is null;
  create index events_received on events (received_at);
  create table event_handlers (
    source text primary key,
    worker text not null,
    until timestamptz not null,
    failures integer not null default 0,
    retry_at timestamptz,
    reason text not null default ''
  );
  create table event_counts (
    source text not null,
    day date not null,
    result text not null,
    count bigint not null,
    primary key (source, day, result)
  );
`;
