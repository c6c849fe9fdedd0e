// The first tables: who may ask the API, and who did what.

export const access = `
  create table tokens (
    id text primary key,
    name text not null,
    hash text not null,
    scopes jsonb not null,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz
  );
  create unique index tokens_name on tokens (name) where revoked_at is null;
  create table audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    by text not null,
    action text not null,
    run_id text,
    origin text not null default ''
  );
  create index audit_run on audit (run_id);
`;
