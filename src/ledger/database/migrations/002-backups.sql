-- Adds the count of written backups to the ledger.
-- How many backups a ledger has written: one that knows of fewer than its newest backup is older than that.

alter table ledger add column backups bigint not null default 0;
