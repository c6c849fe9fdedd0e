// The first tables: what was read of a roster; members begin as unchanged, which most of them are.

export const rosters = `
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
    -- A day as a number, 20261120; null for at once.
    starts_on integer,
    fingerprint text not null,
    action text default 'unchanged',
    left_behind boolean not null default false,
    resend boolean not null default false,
    may_invite boolean not null default false,
    -- Null for that of the run.
    force_sync boolean,
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
  -- People who are as they were given, a row for each batch of them. Such a list is only ever read as a whole.
  create table unchanged_people (
    id bigint generated always as identity primary key,
    run_id text not null references runs on delete cascade,
    file text not null,
    keys text[] not null,
    lines integer[] not null
  );
  alter table unchanged_people
    alter column keys set storage external, alter column keys set statistics 0, alter column lines set statistics 0;
  create index unchanged_people_run on unchanged_people (run_id);
  create table rejects (
    id bigint generated always as identity primary key,
    run_id text not null references runs on delete cascade,
    file text not null,
    line integer not null,
    column_name text not null,
    value text not null,
    reason text not null,
    cells jsonb not null,
    -- Whose row it is, where that can be read.
    person_key text
  );
  create index on rejects (run_id, line);
  create index rejects_person on rejects (run_id, person_key) where person_key is not null;
  -- What a roster looked like, to know what is usual.
  create table censuses (
    run_id text primary key references runs on delete cascade,
    census jsonb not null
  );
  -- Who left.
  create table departures (
    run_id text not null references runs on delete cascade,
    person_key text not null,
    by_row boolean not null,
    is_fresh boolean not null,
    primary key (run_id, person_key)
  );
`;
