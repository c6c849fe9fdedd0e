-- Adds the table of groups left behind, filled from the receipts.
-- Groups that somebody was given and their source no longer names, until they are given again: since when, and what happened
-- to it. A row without `since` is of a call that was accepted in part: whether the next one names the group will show.

create table left_behind (
  service text not null,
  person_key text not null,
  group_name text not null,
  -- The last source that gave it.
  source text not null,
  given_at timestamptz,
  given_run text,
  since timestamptz,
  since_run text,
  -- By a call with forceSync that did not name it.
  taken_at timestamptz,
  taken_run text,
  -- By hand, at the service.
  done_at timestamptz,
  done_by text,
  primary key (service, person_key, group_name)
);
create index left_behind_open on left_behind (service, person_key) where taken_at is null and done_at is null;
create index departures_person on departures (person_key);
with answered as materialized (
  select r.id, d.service, d.person_key, d.run_id, u.source, r.answered_at, r.results, d.outcome,
    coalesce(m.force_sync, (u.settings->>'forceSync')::boolean) as forced
  from receipts r join deliveries d on d.id = r.delivery_id join runs u on u.id = d.run_id
  left join members m on m.run_id = d.run_id and m.person_key = d.person_key
  where r.kind = 'accepted'
), given as (
  select service, person_key, item->>'group' as group_name, max(id) as id
  from answered cross join jsonb_array_elements(results) item
  where item->>'status' = 'success' group by 1, 2, 3
), later as (
  select g.id, g.group_name,
    array_agg(l.answered_at order by l.id) filter (where l.source = a.source and l.outcome = 'succeeded') as left_at,
    array_agg(l.run_id order by l.id) filter (where l.source = a.source and l.outcome = 'succeeded') as left_run,
    array_agg(l.answered_at order by l.id) filter (where l.forced) as taken_at,
    array_agg(l.run_id order by l.id) filter (where l.forced) as taken_run
  from given g join answered a on a.id = g.id
  join answered l on l.service = g.service and l.person_key = g.person_key and l.id > g.id
  group by 1, 2
)
insert into left_behind (service, person_key, group_name, source, given_at, given_run, since, since_run, taken_at, taken_run)
select g.service, g.person_key, g.group_name, a.source, a.answered_at, a.run_id, l.left_at[1], l.left_run[1], l.taken_at[1],
  l.taken_run[1]
from given g join answered a on a.id = g.id left join later l on l.id = g.id and l.group_name = g.group_name
where exists (
    select 1 from people p where p.service = g.service and p.person_key = g.person_key and p.source = a.source)
  and not exists (
    select 1 from people p where p.service = g.service and p.person_key = g.person_key and p.groups ? g.group_name);
