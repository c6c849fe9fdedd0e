-- What identity providers push to a source.
-- Users and groups that were pushed (SCIM), and who is in which group.

create table pushed (
  source text not null,
  id text not null,
  -- The order in which they came.
  number bigserial not null,
  kind text not null check (kind in ('User', 'Group')),
  -- The sign-in name or the group's name, in lower case: there is only one of each.
  name text not null,
  -- The person keys of a user's addresses.
  keys jsonb not null,
  -- The attributes; see core/scim/attributes.ts.
  resource jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  modified_at timestamptz not null default clock_timestamp(),
  primary key (source, id),
  unique (source, kind, name)
);
create index pushed_order on pushed (source, kind, number);
create table pushed_members (
  source text not null,
  group_id text not null,
  member_id text not null,
  primary key (source, group_id, member_id),
  foreign key (source, group_id) references pushed (source, id) on delete cascade
);
create index pushed_members_member on pushed_members (source, member_id);
