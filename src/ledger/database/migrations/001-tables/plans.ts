// The first tables: who approved what, and what of answers was seen before.

export const plans = `
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
  create table seen_evidence (
    service text not null,
    kind text not null,
    first_seen_at timestamptz not null default clock_timestamp(),
    first_run text not null,
    primary key (service, kind)
  );
`;
