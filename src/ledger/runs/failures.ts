// How the calls of a run ended: its failures by cause, the failure threshold, and totals for lists of runs.
import type { z } from 'zod';
import { type RawBuilder, sql } from 'kysely';
import type { Failures } from '../../acts/shapes/people-of-run.ts';
import type { Cause, FailedOutcome } from '../../core/run/cause.ts';
import { type Database, rowsOf, rowOf, theRow, toJson } from '../database/database.ts';
import type { Tally } from '../../core/call/brake.ts';
import type { AcceptedBefore } from '../../core/call/retry.ts';
import { hasEnded } from '../../core/run/states.ts';
import { type RunTotals, totalsOf } from './reading.ts';
import type { Run } from './runs.ts';

/** The failures of one cause; their `reason` is what was said last, or of one of them where `said` is null. */
export type FailuresOfCause = Cause &
  Pick<z.output<typeof Failures>['failures'][number], 'people' | 'reason' | 'mostCalls' | 'groups'>;

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
  return rowsOf<FailuresOfCause>(db)`
    with amiss as materialized (
      select person_key, outcome, answer_kind as kind, answer_status as status, reason, calls
      from deliveries where run_id = ${runId} and outcome in ('partial', 'failed', 'unknown')
    ), told as (
      select outcome, kind, status, count(distinct reason) <= ${mostTexts} as few from amiss group by 1, 2, 3
    ), causes as (
      select a.outcome, a.kind, a.status, case when t.few then left(md5(a.reason), 8) end as said, count(*) as people,
        min(a.reason) as reason, max(a.calls) as most_calls
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
    from causes c order by c.people desc, c.outcome, c.kind, c.status, c.said`;
}

export async function acceptedBefore(db: Database, runId: string): Promise<AcceptedBefore> {
  const isAccepted = sql`select 1 from receipts where receipts.run_id = r.id and receipts.kind = 'accepted'`;
  const row = await rowOf<{ by: AcceptedBefore }>(db)`
    select case
      when exists (
        select 1 from (
          select id from runs r where r.source = me.source and r.service = me.service and r.number <= me.number
          order by r.number desc limit 2
        ) r where exists (${isAccepted})
      ) then 'run'
      when exists (select 1 from runs r where r.service = me.service and exists (${isAccepted})) then 'service'
      else 'nothing'
    end as by
    from runs me where me.id = ${runId}`;
  return row?.by ?? 'nothing';
}

/** What the brake looks at; see `Tally`. */
export async function tallyOf(db: Database, runId: string): Promise<Tally> {
  const { newest, ended, failed, unrecognised } = await theRow<
    Pick<Tally, 'unrecognised'> & Tally['first'] & { newest: Tally['newest'] | null }
  >(db)`
    with ended as (
      select case when d.outcome = 'unknown' and (d.answer_kind in ('rejected', 'refused', 'not-sent') or d.answer_status between 500 and 599)
          then 'failed' else d.outcome end as outcome, d.answer_kind, d.answer_status, d.ended_at, d.id from deliveries d join runs r on r.id = d.run_id
      where d.run_id = ${runId} and d.state = 'done' and d.action <> 'again' and d.ended_at >= r.delivering_since
        and d.outcome <> 'superseded'
        -- Whom earlier calls failed to put among the leavers.
        and not (d.action = 'departed' and d.outcome = 'failed' and exists (
          select 1 from people p where p.service = d.service and p.source = r.source and p.person_key = d.person_key and p.refusals > 1))
    ), newest as (select * from ended order by ended_at desc, id desc limit 10),
    first as (select * from ended order by ended_at, id limit 50)
    select (select jsonb_agg(jsonb_build_object('outcome', outcome, 'kind', answer_kind, 'status', answer_status) order by ended_at desc, id desc) from newest) as newest,
      (select count(*) from first) as ended, (select count(*) from first where outcome = 'failed') as failed,
      (select count(*) from ended
        where outcome = 'unknown' and answer_kind = 'unrecognised') as unrecognised`;
  return { newest: newest ?? [], first: { ended, failed }, unrecognised };
}

/** What lists show of a run. */
export type RunSummaryTotals = Pick<
  RunTotals,
  'outcome' | 'pending' | 'calls' | 'repeated' | 'repeatedNew' | 'refusedAgain'
> & { inserts: number; warnings: number };

/** The totals of these runs, by their ids. Of a run that has ended they are kept, once no call of it is under way. */
export async function summariesOf(
  db: Database,
  runs: readonly Pick<Run, 'id' | 'status'>[],
): Promise<Map<string, RunSummaryTotals>> {
  const ids = runs.map(({ id }) => id);
  const rows = await rowsOf<{ id: string; totals: RunSummaryTotals }>(db)`
    select t.run_id as id, t.totals from run_totals t join runs r on r.id = t.run_id and r.state_changes = t.state_changes
    where t.run_id = any (${ids}::text[])`;
  const found = new Map(rows.map(({ id, totals }) => [id, totals]));
  for (const { id, status } of runs) {
    if (found.has(id)) continue;
    const totals = inShort(await totalsOf(db, id));
    if (hasEnded(status)) await keep(db, id, totals);
    found.set(id, totals);
  }
  return found;
}

function inShort({ groups, problems: _problems, ...rest }: RunTotals): RunSummaryTotals {
  const sum = (of: 'inserts' | 'warnings'): number => groups.reduce((total, group) => total + group[of], 0);
  return { ...rest, inserts: sum('inserts'), warnings: sum('warnings') };
}

/** A call may still be answered after its run was cancelled. */
async function keep(db: Database, runId: string, totals: RunSummaryTotals): Promise<void> {
  await sql`
    insert into run_totals (run_id, state_changes, totals)
    select id, state_changes, ${toJson(totals)}::jsonb from runs r
    where id = ${runId} and finished_at is not null and receipts_removed_at is null
      and not exists (select 1 from in_hand h where h.run_id = r.id)
    on conflict (run_id) do update set state_changes = excluded.state_changes, totals = excluded.totals`.execute(db);
}

/** Forgets the totals of runs of which something was written or removed since. */
export async function forgetTotals(db: Database, ...runIds: string[]): Promise<void> {
  await sql`delete from run_totals where run_id = any (${runIds}::text[])`.execute(db);
}
