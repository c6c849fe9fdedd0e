-- Creates every table, subject by subject.

-- Whose ledger it is, and which processes work with it.

create table ledger (
  id text primary key,
  created_at timestamptz not null default now(),
  -- Two random UUIDs: 244 bits of chance.
  forget_key text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
insert into ledger (id) values (replace(gen_random_uuid()::text, '-', ''));
create table workers (
  id text primary key,
  seen_at timestamptz not null default now(),
  alive_since timestamptz not null default clock_timestamp()
);
-- The share of the configured rate that a service bore when it was last called.
create table paces (service text primary key, share double precision not null);
-- Which process feeds the queue of a service.
create table feeders (service text primary key, worker text not null, until timestamptz not null);

-- Runs, whose changes of state the database itself counts.

create table runs (
  id text primary key,
  number bigint generated always as identity unique,
  source text not null,
  service text not null,
  trigger text not null,
  -- A few people, who pass beside the run of their source, whatever started that one.
  beside boolean not null default false,
  status text not null,
  status_reason text not null default '',
  stopped_by text,
  state_changes integer not null default 0,
  state_since timestamptz not null default clock_timestamp(),
  settings jsonb not null,
  roster jsonb,
  -- Whether its roster says by absence who left.
  snapshot boolean not null default false,
  missing_noted boolean not null default false,
  plan jsonb,
  trips jsonb not null default '[]',
  baseline boolean not null default false,
  stage smallint not null default 0,
  created_at timestamptz not null default now(),
  worker text not null,
  held_at timestamptz,
  released_at timestamptz,
  delivering_since timestamptz,
  delivered_ms bigint not null default 0,
  deadline_from bigint not null default 0,
  finished_at timestamptz,
  answers_removed_at timestamptz,
  roster_removed_at timestamptz,
  receipts_removed_at timestamptz
);
create unique index runs_one_at_a_time on runs (source, service)
  where status in ('planning', 'delivering') and not beside;
create index runs_released on runs (service, source, number) where released_at is not null;
create index runs_state_since on runs (state_since);
create function note_state_change() returns trigger language plpgsql as $$
begin
  new.state_changes := old.state_changes + 1;
  new.state_since := clock_timestamp();
  return new;
end $$;
create trigger runs_state_change before update of status on runs
  for each row when (old.status is distinct from new.status) execute function note_state_change();

-- What was read of a roster; members begin as unchanged, which most of them are.

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

-- Who approved what, and what of answers was seen before.

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
-- A warning, a status, or a shape.
create table seen_evidence (
  service text not null,
  kind text not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  first_run text not null,
  primary key (service, kind)
);

-- Deliveries and their receipts.

create table deliveries (
  id bigint generated always as identity primary key,
  run_id text not null references runs on delete cascade,
  service text not null,
  person_key text not null,
  action text not null,
  state text not null default 'due',
  -- Of a canary release, the one in which it becomes due.
  stage smallint not null default 0,
  -- How often it came back after it was first due; part of the job's id.
  feeds integer not null default 0,
  attempts integer not null default 0,
  calls integer not null default 0,
  -- In how many runs in a row the service had refused this person when it was planned.
  refusals integer not null default 0,
  -- A call was repeated that may have happened: its answer never came, or its outcome was unknown.
  repeated boolean not null default false,
  due_at timestamptz not null default now(),
  queued_at timestamptz,
  claimed_by text,
  called_at timestamptz,
  ended_at timestamptz,
  outcome text,
  reason text not null default '',
  alike text not null default '',
  unique (run_id, person_key),
  check ((state = 'claimed') = (claimed_by is not null))
);
create unique index deliveries_lane on deliveries (service, person_key) where claimed_by is not null;
create index deliveries_due on deliveries (run_id, due_at, id) where state = 'due';
create index deliveries_busy on deliveries (run_id, state) where state in ('queued', 'claimed');
create index deliveries_ended on deliveries (run_id, ended_at) where state = 'done';
create index deliveries_held on deliveries (run_id) where state = 'held';
create index deliveries_waiting on deliveries (run_id, stage, id) where state = 'waiting';
-- One row per call and no reference that is checked for each: much the most of what is written to a ledger.
create table receipts (
  delivery_id bigint not null,
  call integer not null,
  id bigint generated always as identity,
  run_id text not null,
  kind text not null,
  http_status integer,
  hash text,
  response_time double precision,
  -- What the service said about each group; none if it did not accept.
  results jsonb not null,
  -- Not accepted, or with a warning, or with a status other than success.
  notable boolean not null,
  reason text not null,
  headers jsonb not null,
  body text,
  body_cut boolean not null,
  called_at timestamptz not null,
  answered_at timestamptz not null,
  primary key (delivery_id, call)
);
create index receipts_called on receipts using brin (called_at) with (pages_per_range = 16);
create index receipts_run on receipts (run_id);
create index receipts_notable on receipts (run_id, id) where notable;
create view group_results as
  select r.delivery_id, r.call, r.run_id, g.position, g.item->>'group' as group_name, g.item->>'status' as status,
    (g.item->>'inserts')::bigint as inserts, (g.item->>'warnings')::bigint as warnings
  from receipts r cross join lateral jsonb_array_elements(r.results) with ordinality as g (item, position);

-- What everybody was last given, who they are, and whom nobody may send again.

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

-- What servers said about their last rosters; schedules and every time that was due.

create table source_states (
  service text not null,
  source text not null,
  run_id text not null references runs on delete cascade,
  -- Of all that decides a plan, except the roster.
  digest text not null,
  etag text,
  last_modified text,
  primary key (service, source)
);
create table schedules (
  service text not null,
  source text not null,
  cron text not null,
  timezone text not null,
  since timestamptz not null,
  primary key (service, source)
);
create table ticks (
  service text not null,
  source text not null,
  due_at timestamptz not null,
  noticed_by text not null,
  -- The process that carries it out.
  worker text not null,
  run_id text,
  -- Null while it is being carried out.
  result text,
  reason text not null default '',
  begun_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  primary key (service, source, due_at)
);
create index ticks_open on ticks (service) where result is null;

-- Notifications about runs and answers, and whether they were sent.

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

-- Events that HR systems sent, until they are handled, and who handles them.

create table events (
  id bigint generated always as identity primary key,
  source text not null,
  -- What it is known by, should it come again; see core/webhooks/event.ts.
  key text not null,
  received_at timestamptz not null default clock_timestamp(),
  kind text not null,
  -- The ids of the people it is about; null if it does not name them all.
  employees jsonb,
  -- The people it carries, as long as it waits.
  people jsonb,
  -- As it came; null once retention has removed it.
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
-- How many requests of a day (UTC) ended how; all that is kept of those that were not believed.
create table event_counts (
  source text not null,
  day date not null,
  result text not null,
  count bigint not null,
  primary key (source, day, result)
);

-- Answers to stories, as counts; and of people, for those who want that kept.

create table answer_snapshots (
  id bigint generated always as identity primary key,
  service text not null,
  -- Null where a person asked for it.
  due_at timestamptz,
  taken_at timestamptz not null default clock_timestamp(),
  request jsonb not null,
  answers bigint not null,
  stories jsonb not null,
  -- How far the people of sources were with the story that was asked for.
  completion jsonb not null default '[]'
);
create index answer_snapshots_taken on answer_snapshots (service, taken_at);
create unique index answer_snapshots_due on answer_snapshots (service, due_at, md5(request::text));
create table person_answers (
  -- Counts once that snapshot is there.
  snapshot_id bigint not null,
  number bigint not null,
  service text not null,
  app_id text not null,
  story_id text not null,
  story text not null,
  question text not null,
  person_key text not null,
  response text not null,
  correct boolean,
  attempts double precision,
  taken_at timestamptz not null default clock_timestamp(),
  primary key (snapshot_id, number)
);
create index person_answers_person on person_answers (person_key);
create index person_answers_story on person_answers (service, app_id, story_id, snapshot_id);
create index person_answers_taken on person_answers (taken_at);

-- Who may ask the API, and who did what.

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
