-- Deliveries that were held when something newer took their place: whom an approval left out of them stays left out.

alter table deliveries add column was_held boolean not null default false;
create index deliveries_was_held on deliveries (run_id) where was_held;
