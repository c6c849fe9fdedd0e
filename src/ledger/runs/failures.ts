// Groups the failures of a run by their cause.
import { type RawBuilder, sql } from 'kysely';
import type { Cause, FailedOutcome } from '../../core/run/cause.ts';
import type { Database } from '../database/database.ts';

export interface FailuresOfCause extends Cause {
  people: number;
  /** What was said last, or of one of them where `said` is null; empty if nothing was. */
  reason: string;
  /** The most calls that one of them took. */
  mostCalls: number;
  /** The groups that most of them are in, the most frequent first; at most three. */
  groups: { group: string; people: number }[];
}

/** Which failures are meant; what is absent leaves none out. */
export interface FailureFilter {
  cause?: Cause;
  outcome?: FailedOutcome;
  group?: string;
}

/** With more texts than this of one kind and status they are one cause: each names something of its own. */
const mostTexts = 8;
/** The most causes to list. */
const mostCauses = 50;

/** Whether a delivery `d` is a failure that a filter means. */
export function isFailure({ cause, outcome, group }: FailureFilter): RawBuilder<boolean> {
  const isOfCause = cause
    ? sql<boolean>`d.outcome = ${cause.outcome} and d.answer_kind is not distinct from ${cause.kind}::text
        and d.answer_status is not distinct from ${cause.status}::integer
        and (${cause.said}::text is null or left(md5(d.reason), 8) = ${cause.said}::text)`
    : sql<boolean>`true`;
  const isOfGroup =
    group === undefined
      ? sql<boolean>`true`
      : sql<boolean>`exists (
          select 1 from members g where g.run_id = d.run_id and g.person_key = d.person_key and g.groups ? ${group})`;
  return sql<boolean>`(d.outcome in ('partial', 'failed', 'unknown')
    and (${outcome ?? null}::text is null or d.outcome = ${outcome ?? null}::text) and ${isOfCause} and ${isOfGroup})`;
}

/** The failures of a run by cause, most people first. */
export async function failuresOf(db: Database, runId: string): Promise<FailuresOfCause[]> {
  const { rows } = await sql<FailuresOfCause>`
    with amiss as materialized (
      select person_key, outcome, answer_kind as kind, answer_status as status, reason, calls
      from deliveries where run_id = ${runId} and outcome in ('partial', 'failed', 'unknown')
    ), told as (
      select outcome, kind, status, count(distinct reason) <= ${mostTexts} as few from amiss group by 1, 2, 3
    ), causes as (
      select a.outcome, a.kind, a.status, case when t.few then left(md5(a.reason), 8) end as said, count(*) as people,
        min(a.reason) as reason, max(a.calls) as "mostCalls"
      from amiss a join told t on t.outcome = a.outcome and t.kind is not distinct from a.kind
        and t.status is not distinct from a.status
      group by 1, 2, 3, 4 order by 5 desc, 1, 2, 3, 4 limit ${mostCauses}
    ), grouped as (
      select c.outcome, c.kind, c.status, c.said, g as "group", count(*) as people,
        row_number() over (partition by c.outcome, c.kind, c.status, c.said order by count(*) desc, g) as place
      from causes c
      join amiss a on a.outcome = c.outcome and a.kind is not distinct from c.kind and a.status is not distinct from c.status
        and (c.said is null or left(md5(a.reason), 8) = c.said)
      join members m on m.run_id = ${runId} and m.person_key = a.person_key
      cross join lateral jsonb_array_elements_text(m.groups) g
      group by 1, 2, 3, 4, 5
    )
    select c.*, coalesce((
      select jsonb_agg(jsonb_build_object('group', g."group", 'people', g.people) order by g.place) from grouped g
      where g.place <= 3 and g.outcome = c.outcome and g.kind is not distinct from c.kind
        and g.status is not distinct from c.status and g.said is not distinct from c.said), '[]') as groups
    from causes c order by c.people desc, c.outcome, c.kind, c.status, c.said`.execute(db);
  return rows;
}
