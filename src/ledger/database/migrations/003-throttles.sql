-- Adds the table of throttles: until when a service is rate-limiting us.

alter table paces add column throttled_until timestamptz, add column throttled_ms double precision,
add column throttle_reason text;
