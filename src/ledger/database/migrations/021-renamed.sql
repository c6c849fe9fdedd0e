-- Rows whose address was renamed at the service wait for a decision too.

alter table rejects drop constraint rejects_identity_change_check;
alter table rejects add check (identity_change in ('moved', 'renamed', 'recycled'));
