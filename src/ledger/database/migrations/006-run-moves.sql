-- The moves of a run are the only changes of its state; what was read out of texts is in columns.
-- From and to, as `runMoves` of core has them; a contract test compares the two.
-- A run changes its state by a known move only, and what earlier versions wrote as a text gets columns of its own.

alter table runs add constraint runs_status check (status in ('planning', 'held', 'delivering', 'paused', 'halted',
  'finished', 'finished-with-failures', 'cancelled', 'failed'));
create function refuse_run_move() returns trigger language plpgsql as $$
begin
  raise exception 'a run does not go from % to %', old.status, new.status
    using errcode = 'check_violation', constraint = 'runs_move';
end $$;
create trigger runs_move before update of status on runs for each row
  when (old.status <> new.status
    and (old.status, new.status) not in (('planning', 'held'), ('planning', 'delivering'), ('planning', 'finished'), ('planning', 'failed'), ('planning', 'cancelled'), ('held', 'delivering'), ('held', 'cancelled'), ('delivering', 'held'), ('delivering', 'paused'), ('delivering', 'halted'), ('delivering', 'finished'), ('delivering', 'finished-with-failures'), ('delivering', 'cancelled'), ('paused', 'delivering'), ('paused', 'cancelled'), ('halted', 'delivering'), ('halted', 'cancelled'), ('finished-with-failures', 'delivering')))
  execute function refuse_run_move();
-- The newer run that took its place.
alter table runs add column superseded_by text;
update runs set superseded_by = substring(status_reason from '^replaced by run (.*)$')
  where status = 'cancelled' and status_reason like 'replaced by run %';
-- Of the last call: the kind of its answer, and its HTTP status where there was a response.
alter table deliveries add column answer_kind text, add column answer_status integer;
update deliveries set answer_kind = split_part(alike, ' ', 1), answer_status = nullif(split_part(alike, ' ', 2), '')::integer
  where alike <> '';
alter table deliveries drop column alike;
-- Set where the row waits for a decision, because this person's address or id changed.
alter table rejects add column identity_change text check (identity_change in ('moved', 'recycled'));
update rejects set identity_change = case when reason like 'employee %' then 'moved' else 'recycled' end
  where reason like '%waits for `roster-sync resolve %';
