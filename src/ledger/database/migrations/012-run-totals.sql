-- Adds the totals of runs that have ended, and finds failures without reading every delivery.
-- What lists of runs show of a run that has ended, so that nobody counts its deliveries again. Only numbers are in it.

create table run_totals (
  run_id text primary key references runs on delete cascade,
  -- As it was when they were counted: a run that goes on is counted anew.
  state_changes integer not null,
  totals jsonb not null
);
create index deliveries_amiss on deliveries (run_id, outcome, person_key)
  where outcome in ('partial', 'failed', 'unknown');
create index runs_of_source on runs (source, number);
