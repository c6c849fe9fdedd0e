-- A ledger that was exported knows that it is used elsewhere.

alter table ledger add column moved_at timestamptz;
