-- Who is signed in to the pages.
-- Sessions of the pages, and the links that begin one. Only hashes of their secrets are kept.

create table sessions (
  id text primary key,
  hash text not null,
  name text not null,
  scopes jsonb not null,
  is_link boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
