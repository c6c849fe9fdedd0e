-- What one process at a time does has one table, whatever it is.
-- Which process feeds the queue of a service, or handles the events of a source: `feed …`, `events …`.

create table leases (
  name text primary key,
  worker text not null,
  until timestamptz not null
);
drop table feeders;
-- What is left is how often the events of a source failed in a row.
alter table event_handlers drop column worker, drop column until;
alter table event_handlers rename to event_failures;
