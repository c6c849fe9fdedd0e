-- Cells of an uploaded file that somebody changed before it was planned.

create table corrections (
  run_id text not null references runs on delete cascade,
  place integer not null,
  -- Both null for every row whose cell held the same.
  file text,
  line integer,
  column_name text not null,
  was text not null,
  value text not null,
  -- How many it changed.
  cells integer not null,
  -- Whose row it is, where that can be read.
  person_key text,
  primary key (run_id, place)
);
