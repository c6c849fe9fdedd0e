-- A delivery changes its state by a known move only.
-- From and to, as `deliveryMoves` of core has them; a contract test compares the two.
-- The condition of the trigger is all that a change of state costs; its function is called only to refuse one.

alter table deliveries add constraint deliveries_state
check (state in ('held', 'waiting', 'due', 'queued', 'claimed', 'done')),
add constraint deliveries_outcome check ((state = 'done') = (outcome is not null));
create function refuse_delivery_move() returns trigger language plpgsql as $$
begin
  raise exception 'a delivery does not go from % to %', old.state, new.state using errcode = 'check_violation';
end $$;
create trigger deliveries_move before update of state on deliveries for each row
when (old.state <> new.state and (old.state, new.state) not in (('held', 'waiting'), ('held', 'due'), ('held', 'done'), ('waiting', 'queued'), ('waiting', 'done'), ('due', 'queued'), ('due', 'claimed'), ('due', 'done'), ('queued', 'due'), ('queued', 'claimed'), ('queued', 'done'), ('claimed', 'due'), ('claimed', 'done'), ('done', 'due')))
execute function refuse_delivery_move();
