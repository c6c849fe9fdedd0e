-- What is in somebody's hands has a table of its own.
-- From and to, as `deliveryMoves` of core has them; a contract test compares the two.
-- Moves what was claimed; what was only queued is due.

create table in_hand (
  service text not null,
  person_key text not null,
  delivery_id bigint not null,
  run_id text not null,
  worker text not null,
  -- The number of the call, 1 for a delivery's first.
  call integer not null,
  -- When the call in flight was about to be written; null while none is.
  called_at timestamptz,
  primary key (service, person_key)
) with (fillfactor = 80, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
insert into in_hand (service, person_key, delivery_id, run_id, worker, call, called_at)
select service, person_key, id, run_id, claimed_by, calls + 1, called_at from deliveries where state = 'claimed';
drop trigger deliveries_move on deliveries;
alter table deliveries drop constraint deliveries_state;
update deliveries set state = 'due', claimed_by = null where state in ('queued', 'claimed');
drop index deliveries_busy;
alter table deliveries drop column claimed_by, drop column called_at, drop column queued_at;
alter table deliveries add constraint deliveries_state check (state in ('held', 'waiting', 'due', 'done'));
create trigger deliveries_move before update of state on deliveries for each row
when (old.state <> new.state and (old.state, new.state) not in (('held', 'waiting'), ('held', 'due'), ('held', 'done'), ('waiting', 'due'), ('waiting', 'done'), ('due', 'done'), ('done', 'due')))
execute function refuse_delivery_move();
