-- What waits for its stage of a canary release is due, as all else: its stage alone says that it is not fed yet.
-- From and to, as `deliveryMoves` of core has them; a contract test compares the two.

drop trigger deliveries_move on deliveries;
alter table deliveries drop constraint deliveries_state;
update deliveries set stage = 0 where state = 'due' and stage > 0;
update deliveries set state = 'due' where state = 'waiting';
drop index deliveries_waiting;
drop index deliveries_due;
create index deliveries_due on deliveries (run_id, stage, due_at, id) where state = 'due';
alter table deliveries add constraint deliveries_state check (state in ('held', 'due', 'done'));
create trigger deliveries_move before update of state on deliveries for each row
when (old.state <> new.state and (old.state, new.state) not in (('held', 'due'), ('held', 'done'), ('due', 'done'), ('done', 'due')))
execute function refuse_delivery_move();
