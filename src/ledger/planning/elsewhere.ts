// Tells whether another source has somebody who is missing from one.
import { sql } from 'kysely';
import { isOfLeaver } from '../people/left-behind.ts';

/** A run that nobody has decided about or continued for longer says nothing of who is there. */
const forgotten = sql.lit('14 days');

/**
 * Whether another source than this one has person `p` now: by its complete rosters, also one that somebody brought and that lacked nobody, in the newest of them or a run that is not over
 * nor only looked at, or it gave them something since they are missing from this one. A source that judges nobody as missing says no
 * more than that it gave something once.
 * @param after in how many of its rosters in a row they must be missing there, to be gone there too
 */
export const isElsewhere = (service: string, source: string, after: number) => sql<boolean>`(exists (
  select 1 from people o where o.service = p.service and o.person_key = p.person_key and o.source <> p.source
    and o.missing_runs < ${after} and o.groups <> '[]' and not ${isOfLeaver('o.fingerprint')}
    and (o.given_at > p.missing_since or o.source in (
      select r.source from runs r where r.service = ${service} and r.snapshot
        and (r.missing_noted or r.status = 'finished' and r.released_at is null)
        and coalesce(r.released_at, r.finished_at) > clock_timestamp() - interval '40 days')))
  or exists (select 1 from members m where m.person_key = p.person_key and m.action is distinct from 'departed'
    and m.run_id = any (array(
      select id from (
        select r.id, coalesce(r.released_at, r.created_at) as at from runs r
          where r.service = ${service} and r.source <> ${source} and r.finished_at is null and r.status <> 'planning'
            and (r.released_at is not null or not coalesce(r.trips @> '[{"guard": "brought"}]', false))
        union all select * from (
          select distinct on (r.source) r.id, r.released_at from runs r
            where r.service = ${service} and r.source <> ${source} and r.snapshot and r.missing_noted
            order by r.source, r.number desc) newest) those
      where at > clock_timestamp() - ${forgotten}::interval))))`;
