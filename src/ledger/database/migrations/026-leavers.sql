-- The people whom events carry and say to leave, by address or employee id in the words of the source: older rosters do not send them.

alter table events add column leavers jsonb;
