// Reads totals and pages of results, for reports.
import { sql } from 'kysely';
import type { z } from 'zod';
import type { PersonHistory } from '../../acts/shapes/person.ts';
import type { ShowDocument } from '../../acts/shapes/run.ts';
import type { Dated } from '../../core/plain.ts';
import type { Outcome } from '../../core/call/outcome.ts';
import type { ResultRow } from '../../core/run/run.ts';
import { type Database, rowsOf, countOf, theRow } from '../database/database.ts';

/** What happened to a run, counted from deliveries and receipts. */
export interface RunTotals {
  outcome: Partial<Record<Outcome, number>>;
  /** Deliveries that are still to be sent. */
  pending: number;
  calls: number;
  /** Deliveries with a call that may have happened twice. */
  repeated: number;
  /** Of these, people who were new, in this run or in the one before that left it open. */
  repeatedNew: number;
  /**
   * By group: calls that were sent; what the receipts say; deliveries that gave it; and those whose end leaves it open or
   * refused, or whose call was refused and stopped the run.
   */
  groups: { group: string; calls: number; inserts: number; warnings: number; succeeded: number; failures: number }[];
  /** What went wrong, by kind, the most frequent first. */
  problems: { outcome: Outcome; reason: string; count: number; example: string }[];
  /** People whom the service refused as in the run before: they were named then, and are not among the problems. */
  refusedAgain: number;
}

/** How the deliveries of a run ended so far. */
export async function countOutcomes(db: Database, runId: string): Promise<RunTotals['outcome']> {
  const rows = await rowsOf<{ outcome: Outcome; count: number }>(db)`
    select outcome, count(*) as count from deliveries
      where run_id = ${runId} and state = 'done' group by outcome`;
  return countsOf(rows);
}

/** Whether a delivery was refused as its person was in the run before. */
const isRefusedAgain = sql<boolean>`(outcome = 'failed' and refusals > 0 and answer_kind = 'rejected')`;

/**
 * How a delivery `d` of a run `r` ended. What a run that ended has not sent is cancelled; unknown, if a call may have arrived
 * (R7).
 */
export const outcomeOf = sql<Outcome | null>`coalesce(d.outcome, case when r.finished_at is not null then
  case when d.repeated or d.id in (select delivery_id from in_hand where called_at is not null)
  then 'unknown' else 'cancelled' end end)`;

export async function totalsOf(db: Database, runId: string): Promise<RunTotals> {
  const deliveries = await rowsOf<{
    outcome: Outcome | null;
    count: number;
    calls: number;
    repeated: number;
    repeatedNew: number;
  }>(db)`
    select ${outcomeOf} as outcome, count(*) as count, sum(d.calls)::bigint as calls, count(*) filter (where d.repeated) as repeated,
      count(*) filter (where d.repeated and d.action in ('new', 'again')) as repeated_new
    from deliveries d join runs r on r.id = d.run_id where d.run_id = ${runId} group by 1`;
  const notSent = await countOf(db)`
    select count(*) as count from receipts where run_id = ${runId} and notable and kind = 'not-sent'`;
  // Few people have groups, or answers, that nobody else has: those that are alike are counted before they are taken apart.
  const groups = await rowsOf<RunTotals['groups'][number]>(db)`
    with called as (
      select m.groups, sum(d.calls) as calls, count(*) filter (where d.outcome in ('succeeded', 'partial', 'failed', 'unknown')) as ended
      from deliveries d join members m on m.run_id = d.run_id and m.person_key = d.person_key
      where d.run_id = ${runId} and d.calls > 0 group by 1
      union all
      select m.groups, -count(*), 0 from receipts r join deliveries d on d.id = r.delivery_id
      join members m on m.run_id = d.run_id and m.person_key = d.person_key
      where r.run_id = ${runId} and r.notable and r.kind = 'not-sent' group by 1
    ), asked as (
      select "group", sum(calls)::bigint as calls, sum(ended)::bigint as ended
      from called cross join lateral jsonb_array_elements_text(groups) as "group" group by 1
    ), answered as (
      select g.item->>'group' as "group", sum((g.item->>'inserts')::bigint * times)::bigint as inserts,
        sum((g.item->>'warnings')::bigint * times)::bigint as warnings
      from (select results, count(*) as times from receipts where run_id = ${runId} group by 1) alike
      cross join lateral jsonb_array_elements(results) as g (item) group by 1
    ), amiss as materialized (
      select id, run_id, person_key, calls, outcome from deliveries
      where run_id = ${runId} and outcome in ('partial', 'failed', 'unknown')
      union all
      select d.id, d.run_id, d.person_key, d.calls, d.outcome from receipts r
      join deliveries d on d.id = r.delivery_id and d.calls = r.call and d.outcome is null
      where r.run_id = ${runId} and r.notable and r.kind in ('refused', 'rejected')
    ), failed as (
      select "group", count(*) as failures, count(outcome) as ended from (
        select d.id, d.calls, d.outcome, jsonb_array_elements_text(m.groups) as "group"
        from amiss d join members m on m.run_id = d.run_id and m.person_key = d.person_key
        union
        select d.id, d.calls, d.outcome, g.group_name
        from amiss d join group_results g on g.delivery_id = d.id and g.call = d.calls
      ) wanted
      where (
        select bool_and(g.status = 'success') from group_results g
        where g.delivery_id = wanted.id and g.call = wanted.calls and g.group_name = wanted."group"
      ) is not true
      group by 1
    )
    select "group", coalesce(asked.calls, 0) as calls, coalesce(inserts, 0) as inserts, coalesce(warnings, 0) as warnings,
      greatest(coalesce(asked.ended, 0) - coalesce(failed.ended, 0), 0) as succeeded, coalesce(failures, 0) as failures
    from asked full join answered using ("group") full join failed using ("group") order by 2 desc, 1`;
  const problems = await rowsOf<RunTotals['problems'][number]>(db)`
    select outcome, min(reason) as reason, count(*) as count, min(person_key) as example
    from deliveries where run_id = ${runId} and outcome in ('partial', 'failed', 'unknown') and not ${isRefusedAgain}
    group by outcome, answer_kind, answer_status order by 3 desc limit 20`;
  const refusedAgain = await countOf(db)`
    select count(*) as count from deliveries where run_id = ${runId} and ${isRefusedAgain}`;
  const sum = (of: (row: (typeof deliveries)[number]) => number): number =>
    deliveries.reduce((total, row) => total + of(row), 0);
  return {
    outcome: countsOf(deliveries),
    pending: sum((row) => (row.outcome ? 0 : row.count)),
    calls: sum((row) => row.calls) - notSent,
    repeated: sum((row) => row.repeated),
    repeatedNew: sum((row) => row.repeatedNew),
    groups,
    problems,
    refusedAgain,
  };
}

function countsOf(rows: readonly { outcome: Outcome | null; count: number }[]): RunTotals['outcome'] {
  const counts: RunTotals['outcome'] = {};
  for (const { outcome, count } of rows) if (outcome) counts[outcome] = count;
  return counts;
}

/** A result with its delivery; a person without an answer has one row without a group's status. */
export type ListedResult = ResultRow & { deliveryId: number; calls: number };

/**
 * A page of a run's results, one row per person and group, in the order of the plan; the last call of each delivery counts.
 * @param notable only of deliveries to look at: other than succeeded, repeated, or with a call that was not accepted plainly
 */
export async function listResults(
  db: Database,
  runId: string,
  { after, deliveries, notable = false }: { after: number; deliveries: number; notable?: boolean },
): Promise<ListedResult[]> {
  return rowsOf<ListedResult>(db)`
    with page as (
      select * from deliveries d where run_id = ${runId} and id > ${after}
        and (not ${notable}::boolean or d.outcome is distinct from 'succeeded' or d.repeated
          or exists (select 1 from receipts r where r.delivery_id = d.id and r.notable))
      order by id limit ${deliveries}
    )
    select d.id as delivery_id, d.action, m.firstname, m.lastname, m.email, g.name as "group", ${outcomeOf} as outcome, gr.status, gr.inserts, gr.warnings,
      d.attempts, d.calls, d.repeated, last.hash, last.response_time, last.http_status, d.reason
    from page d
    join runs r on r.id = d.run_id
    join members m on m.run_id = d.run_id and m.person_key = d.person_key
    cross join lateral jsonb_array_elements_text(m.groups) with ordinality as g (name, position)
    left join lateral (select * from receipts where delivery_id = d.id order by call desc limit 1) last on true
    left join group_results gr on gr.delivery_id = last.delivery_id and gr.call = last.call and gr.group_name = g.name
    order by d.id, g.position`;
}

/**
 * Warnings, statuses and failures of one kind in a run (`2 warnings`, `group status pending`, `rejected 400`): how often, once
 * for each group of each answer or each answer that was not accepted; and when the service first gave it, in any run.
 */
export type NoticedKind = Dated<z.output<typeof ShowDocument>['details']['noticed'][number]>;

/** An answer other than a plain success, receipt `rc`, by its kind; `g` is one of its groups where it was accepted. */
export const kindOfAnswer = sql`case when rc.kind <> 'accepted' then rc.kind || coalesce(' ' || rc.http_status, '')
  when g.item->>'status' <> 'success' then 'group status ' || (g.item->>'status')
  when (g.item->>'warnings')::bigint = 1 then '1 warning' else (g.item->>'warnings') || ' warnings' end`;
export const noticedReceipts = sql`receipts rc left join lateral jsonb_array_elements(rc.results) as g (item) on rc.kind = 'accepted'`;
export const isNoticed = sql`rc.notable and (rc.kind <> 'accepted' or g.item->>'status' <> 'success' or (g.item->>'warnings')::bigint > 0)`;

/** What of a run's answers is other than a plain success, by kind, the most frequent first. */
export async function noticedKinds(db: Database, runId: string): Promise<NoticedKind[]> {
  return rowsOf<NoticedKind>(db)`
    with noticed as (
      select rc.run_id, r.service, rc.answered_at, ${kindOfAnswer} as kind
      from runs me
      join runs r on r.service = me.service
      join (${noticedReceipts}) on rc.run_id = r.id
      where me.id = ${runId} and ${isNoticed}
        and exists (select 1 from receipts mine where mine.run_id = me.id and mine.notable)
    )
    select n.kind, count(*) filter (where n.run_id = ${runId}) as count,
      least(min(n.answered_at), min(s.first_seen_at)) as first_seen_at
    from noticed n left join seen_evidence s on s.service = n.service and s.kind = n.kind
    group by n.kind having count(*) filter (where n.run_id = ${runId}) > 0
    order by 2 desc, 1`;
}

/** How many kinds of answers the services first gave since then, and the newest run that got one. */
export async function unseenAnswers(db: Database, since: Date): Promise<{ kinds: number; run: string | null }> {
  return theRow<{ kinds: number; run: string | null }>(db)`
    with noticed as (
      select r.service, r.id as run, rc.answered_at, ${kindOfAnswer} as kind
      from runs r join (${noticedReceipts}) on rc.run_id = r.id where ${isNoticed}
    )
    select count(*) as kinds, (array_agg(run order by at desc))[1] as run from (
      select (array_agg(n.run order by n.answered_at desc))[1] as run, max(n.answered_at) as at from noticed n left join seen_evidence s on s.service = n.service and s.kind = n.kind
      group by n.service, n.kind having least(min(n.answered_at), min(s.first_seen_at)) >= ${since}
    ) first_seen`;
}

/** An answer as received: what the service really said. */
export type RawAnswer = { email: string } & Pick<
  Dated<PersonHistory['runs'][number]['calls'][number]>,
  'call' | 'kind' | 'httpStatus' | 'reason' | 'body' | 'answeredAt'
>;

/** The answers worth a look first: anything with warnings or other than accepted, then the rest, by time. */
export async function notableAnswers(db: Database, runId: string, limit: number): Promise<RawAnswer[]> {
  return rowsOf<RawAnswer>(db)`
    select m.email, r.call, r.kind, r.http_status, r.reason, r.body, r.answered_at
    from receipts r
    join deliveries d on d.id = r.delivery_id
    join members m on m.run_id = d.run_id and m.person_key = d.person_key
    where r.run_id = ${runId} and r.notable
    order by r.id limit ${limit}`;
}
