// Collects the figures for monitors.
import { sql } from 'kysely';
import type { Outcome } from '../../core/call/outcome.ts';
import type { RunStatus } from '../../core/run/run-states.ts';
import type { Database } from '../database/database.ts';

/** What a monitor wants to know of the ledger at one moment. Names of sources, counts and times; no person, no group. */
export interface Measures {
  runs: { status: RunStatus; count: number }[];
  /** By source: when a run last finished without failures, or was found to be needless; and its newest run. */
  sources: { source: string; goodAt: Date | null; newest: string; status: RunStatus }[];
  /** Deliveries that are due and wait in the ledger. */
  due: number;
  /** The time since the oldest waiting delivery became due, s. */
  lagSeconds: number;
  /** Requests of HR systems since counting began, by source and result. */
  webhooks: { source: string; result: string; count: number }[];
  /** When answers to questions were last kept; null if that was never. */
  answersKeptAt: Date | null;
}

export interface RunMeasures {
  outcomes: { outcome: Outcome; count: number }[];
  /** By the kind of their answer. */
  calls: { kind: string; count: number }[];
  inserts: number;
  warnings: number;
}

/** Measures the ledger, by indexes and small tables only. */
export async function measure(db: Database): Promise<Measures> {
  const runs = await sql<Measures['runs'][number]>`
    select status, count(*) as count from runs group by status`.execute(db);
  const sources = await sql<Measures['sources'][number]>`
    select distinct on (r.source) r.source, r.id as newest, r.status,
      greatest(
        (select max(finished_at) from runs good where good.source = r.source and good.status = 'finished'),
        (select max(ended_at) from ticks good where good.source = r.source and good.result = 'unchanged')
      ) as "goodAt"
    from runs r where r.status <> 'planning' order by r.source, r.number desc`.execute(db);
  const due = await sql<{ count: number; lag: number | null }>`
    select count(*) as count, extract(epoch from clock_timestamp() - min(d.due_at))::double precision as lag
    from runs r join deliveries d on d.run_id = r.id
    where r.status = 'delivering' and d.state = 'due' and d.due_at <= clock_timestamp()`.execute(db);
  const webhooks = await sql<Measures['webhooks'][number]>`
    select source, result, sum(count)::bigint as count from event_counts group by source, result`.execute(db);
  const answers = await sql<{ at: Date | null }>`select max(taken_at) as at from answer_snapshots`.execute(db);
  return {
    runs: runs.rows,
    sources: sources.rows,
    due: due.rows[0]?.count ?? 0,
    lagSeconds: due.rows[0]?.lag ?? 0,
    webhooks: webhooks.rows,
    answersKeptAt: answers.rows[0]?.at ?? null,
  };
}

/** Measures a run: what of it has been delivered. Takes about a second for a million deliveries. */
export async function measureRun(db: Database, runId: string): Promise<RunMeasures> {
  const outcomes = await sql<RunMeasures['outcomes'][number]>`
    select outcome, count(*) as count from deliveries
      where run_id = ${runId} and state = 'done' group by outcome`.execute(db);
  const calls = await sql<RunMeasures['calls'][number]>`
    select kind, count(*) as count from receipts where run_id = ${runId} group by kind`.execute(db);
  const sums = await sql<{ inserts: number | null; warnings: number | null }>`
    select sum(inserts)::bigint as inserts, sum(warnings)::bigint as warnings from group_results
      where run_id = ${runId}`.execute(db);
  return {
    outcomes: outcomes.rows,
    calls: calls.rows,
    inserts: sums.rows[0]?.inserts ?? 0,
    warnings: sums.rows[0]?.warnings ?? 0,
  };
}
