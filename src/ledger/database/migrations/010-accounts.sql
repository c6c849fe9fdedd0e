-- Accounts of people for the pages, sign-ins under way, and who began a run.
-- Accounts have a role and a hash of their password; a session that an account began ends with it.

create table accounts (
  key text primary key,
  name text not null,
  role text not null check (role in ('viewer', 'operator', 'approver')),
  password text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_sign_in_at timestamptz
);
create table sign_ins (
  id text primary key,
  state text not null,
  nonce text not null,
  verifier text not null,
  back jsonb not null,
  expires_at timestamptz not null
);
alter table sessions add column account text;
alter table runs add column begun_by text;
