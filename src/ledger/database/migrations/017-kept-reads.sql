-- What runs read of directories that tell only what changed since.

create table kept_reads (
  service text not null,
  source text not null,
  read_id text not null,
  run_id text not null,
  link text not null,
  digest text not null,
  full_at timestamptz not null,
  read_at timestamptz not null,
  primary key (service, source)
);
create table kept_people (
  service text not null,
  source text not null,
  -- People of another read than that of kept_reads do not count: the run that read them has not got so far.
  read_id text not null,
  id text not null,
  keys jsonb not null,
  -- As JSON; empty for somebody who was erased, null for somebody who is gone.
  record text,
  primary key (service, source, read_id, id)
);
