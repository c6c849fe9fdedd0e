-- No copy of what runs read of a directory: each run reads everybody.

drop table kept_people, kept_reads;
