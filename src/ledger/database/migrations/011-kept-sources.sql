-- Sources that are kept in the ledger.
-- How files of a kind are read and mapped, as somebody kept it on the pages.

create table kept_sources (
  name text primary key,
  block text not null,
  kept_by text not null,
  kept_at timestamptz not null default clock_timestamp()
);
