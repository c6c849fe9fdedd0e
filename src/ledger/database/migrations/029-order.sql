-- Deliveries are written in the order of the roster, some at a time; leavers, who are on no line, have the same place.

create index members_in_order on members (run_id, (coalesce((lines->0)::integer, 2147483647)), person_key);
