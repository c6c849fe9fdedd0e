// The first tables: what everybody was last given, who they are, and whom nobody may send again.

export const people = `
  create table people (
    service text not null,
    source text not null,
    person_key text not null,
    employee_id text,
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
    refusals integer default 0,
    missing_runs integer not null default 0,
    missing_since timestamptz,
    primary key (service, person_key, source)
  );
  create index people_employee on people (service, source, employee_id) where employee_id is not null;
  create index people_missing on people (service, source) where missing_runs > 0;
  -- What was decided about moves.
  create table resolutions (
    id bigint generated always as identity primary key,
    service text not null,
    source text not null,
    old_key text not null,
    new_key text not null,
    decision text not null,
    employee_id text,
    decided_at timestamptz not null default now()
  );
  create table forgotten (
    service text not null,
    digest text not null,
    forgotten_at timestamptz not null default now(),
    primary key (service, digest)
  );
`;
