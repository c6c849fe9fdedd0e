-- A ledger that was rebuilt may lack people who were sent: the next unattended run of each source waits for somebody's look.

alter table ledger add column rebuilt_at timestamptz;
