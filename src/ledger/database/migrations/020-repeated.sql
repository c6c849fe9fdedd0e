-- Finds calls that may have arrived in runs that have ended, without reading what those did not send.

create index deliveries_repeated on deliveries (run_id) where repeated;
