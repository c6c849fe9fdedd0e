-- Names and addresses of the people of large runs, packed for searching.
-- Runs that were released before have no such texts: their members are searched one by one.

create table search_texts (
  run_id text not null references runs on delete cascade,
  -- Texts of a run follow each other in the order of the keys of their people.
  place integer not null,
  -- A line for each person: their name in lower case, a space, their key.
  text text not null,
  primary key (run_id, place)
) with (toast_tuple_target = 8160);
alter table search_texts alter column text set storage external, alter column text set statistics 0;
