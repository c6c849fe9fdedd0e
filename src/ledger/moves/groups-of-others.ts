// With forceSync a call also names the groups that other sources give this person: else it would take them out.
import { sql } from 'kysely';

/**
 * The groups that other sources than that of run `r` gave the person of a delivery `c`, or may have given where a call ended
 * as `partial` or `unknown`. A JSON array; null without `forceSync`, by member `m` or by the run.
 */
export const groupsOfOthers = sql<string[] | null>`
  case when coalesce(m.force_sync, (r.settings->>'forceSync')::boolean) then (
    select jsonb_agg(distinct g) from people p
    left join members w on p.last_outcome in ('partial', 'unknown') and w.run_id = p.last_run and w.person_key = p.person_key
    cross join lateral jsonb_array_elements_text(coalesce(p.groups, '[]') || coalesce(w.groups, '[]')) g
    where p.service = c.service and p.person_key = c.person_key and p.source <> r.source
  ) end`;
