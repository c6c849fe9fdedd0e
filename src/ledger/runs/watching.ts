// What monitors and those who watch runs see: figures, what changed, how fast a run goes, how deliveries ended.
import { type RawBuilder, sql } from 'kysely';
import type { Outcome } from '../../core/call/outcome.ts';
import type { RunStatus } from '../../core/run/states.ts';
import { sliceFor } from '../../core/text/format.ts';
import { type Database, rowsOf, rowOf, theRow } from '../database/database.ts';

/** Outcomes of one slice of time; slices in which nothing ended are absent. */
export interface Slice {
  /** When it begins. */
  at: Date;
  /** Deliveries that ended in it. */
  outcome: Partial<Record<Outcome, number>>;
  /** Calls without an answer that counts: not sent, broken off, refused for a while. */
  unanswered: number;
}

export interface Timeline {
  /** The length of each slice, ms; a round one. */
  sliceMs: number;
  /** The oldest first. */
  slices: Slice[];
}

/** How the deliveries of a run ended over time, in at most this many slices; those that were superseded or cancelled do not count. */
export async function timelineOf(db: Database, runId: string, mostSlices: number): Promise<Timeline> {
  const { first, last } = await theRow<{ first: Date | null; last: Date | null }>(db)`
    select min(ended_at) as first, max(ended_at) as last from deliveries
    where run_id = ${runId} and state = 'done'`;
  const sliceMs = sliceFor(first === null || last === null ? 0 : last.getTime() - first.getTime(), mostSlices);
  const sliceOf = (column: RawBuilder<unknown>): RawBuilder<Date> =>
    sql`date_bin(${`${sliceMs} milliseconds`}::interval, ${column}, to_timestamp(0))`;
  const rows = await rowsOf<{ at: Date; outcome: Outcome | null; count: number }>(db)`
    select ${sliceOf(sql`ended_at`)} as at, outcome, count(*) as count
    from deliveries
    where run_id = ${runId} and state = 'done' and outcome in ('succeeded', 'partial', 'failed', 'unknown')
    group by 1, 2
    union all
    select ${sliceOf(sql`answered_at`)}, null, count(*) from receipts
    where run_id = ${runId} and notable and kind in ('not-sent', 'broken', 'may-have-happened', 'throttled')
      and answered_at between ${first}::timestamptz and ${last}::timestamptz
    group by 1 order by 1`;
  const slices = new Map<number, Slice>();
  for (const { at, outcome, count } of rows) {
    const slice = slices.get(at.getTime()) ?? { at, outcome: {}, unanswered: 0 };
    if (outcome === null) slice.unanswered = count;
    else slice.outcome[outcome] = count;
    slices.set(at.getTime(), slice);
  }
  return { sliceMs, slices: [...slices.values()] };
}

/** How a run goes at this moment, by the clock of the ledger. */
export type RunPace = Awaited<ReturnType<typeof paceOfRun>>;

/** With fewer calls in a row without an answer nobody speaks of an outage. */
const callsOfAnOutage = 5;

/** How a run goes, judged by the last so many ms. */
export async function paceOfRun(db: Database, runId: string, withinMs: number) {
  const row = await rowOf<{ ended: number; ms: number; silent: number; silentSince: Date | null; now: Date }>(db)`
    with me as (
      select least(${withinMs}, extract(epoch from clock_timestamp() - delivering_since) * 1000)::double precision as ms,
        delivering_since as since
      from runs where id = ${runId}
    ), last as (
      select ended_at from deliveries where run_id = ${runId} and state = 'done' order by ended_at desc limit 1
    ), silent as (
      select called_at from receipts
      where run_id = ${runId} and notable and kind in ('not-sent', 'broken', 'may-have-happened', 'throttled')
        and answered_at > coalesce((select ended_at from last), '-infinity') and answered_at > (select since from me)
    )
    select (select count(*) from deliveries where run_id = ${runId} and state = 'done'
        and ended_at > clock_timestamp() - me.ms * interval '1 millisecond') as ended,
      me.ms, (select count(*) from silent) as silent, (select min(called_at) from silent) as silent_since, clock_timestamp() as now
    from me`;
  const { ended = 0, ms = 0, silent = 0, silentSince = null, now = new Date() } = row ?? {};
  return {
    /** Deliveries that ended within the time asked about, for each second of it in which the run was delivered. */
    perSecond: ms > 0 ? (ended * 1000) / ms : 0,
    /** Since when no call has got an answer that counts; null while the service answers. */
    silentSince: silent >= callsOfAnOutage ? silentSince : null,
    now,
  };
}

/** A run that is open, or whose state has changed a moment ago. */
export interface WatchedRun {
  run: string;
  source: string;
  status: RunStatus;
  /** How often its state has changed. */
  changes: number;
  /** When a delivery of it last ended; null if none has. */
  lastEndedAt: Date | null;
}

/** Runs that have not ended, and those that ended within the last ms. Quick, also while a large run is delivered. */
export async function watchRuns(db: Database, withinMs: number): Promise<WatchedRun[]> {
  return rowsOf<WatchedRun>(db)`
    select r.id as run, r.source, r.status, r.state_changes as changes, (
      select d.ended_at from deliveries d where d.run_id = r.id and d.state = 'done' order by d.ended_at desc limit 1
    ) as last_ended_at
    from runs r
    where r.status in ('planning', 'held', 'delivering', 'paused', 'halted')
      or r.state_since > clock_timestamp() - ${withinMs} * interval '1 millisecond'
    order by r.number desc limit 200`;
}

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
  const runs = await rowsOf<Measures['runs'][number]>(db)`
    select status, count(*) as count from runs group by status`;
  const sources = await rowsOf<Measures['sources'][number]>(db)`
    select distinct on (r.source) r.source, r.id as newest, r.status,
      greatest(
        (select max(finished_at) from runs good where good.source = r.source and good.status = 'finished' and good.released_at is not null),
        (select max(ended_at) from ticks good where good.source = r.source and good.result = 'unchanged')
      ) as good_at
    from runs r where r.status <> 'planning' and (r.status <> 'finished' or r.released_at is not null) order by r.source, r.number desc`;
  const waiting = await theRow<Pick<Measures, 'due' | 'lagSeconds'>>(db)`
    select count(*) as due,
      coalesce(extract(epoch from clock_timestamp() - min(d.due_at)), 0)::double precision as lag_seconds
    from runs r join deliveries d on d.run_id = r.id
    where r.status = 'delivering' and d.state = 'due' and d.stage <= r.stage and d.due_at <= clock_timestamp()`;
  const webhooks = await rowsOf<Measures['webhooks'][number]>(db)`
    select source, result, sum(count)::bigint as count from event_counts group by source, result`;
  const answers = await theRow<Pick<Measures, 'answersKeptAt'>>(db)`
    select max(taken_at) as answers_kept_at from answer_snapshots`;
  return { runs, sources, webhooks, ...waiting, ...answers };
}

/** Measures a run: what of it has been delivered. Takes about a second for a million deliveries. */
export async function measureRun(db: Database, runId: string): Promise<RunMeasures> {
  const outcomes = await rowsOf<RunMeasures['outcomes'][number]>(db)`
    select outcome, count(*) as count from deliveries
      where run_id = ${runId} and state = 'done' group by outcome`;
  const calls = await rowsOf<RunMeasures['calls'][number]>(db)`
    select kind, count(*) as count from receipts where run_id = ${runId} group by kind`;
  const sums = await theRow<Pick<RunMeasures, 'inserts' | 'warnings'>>(db)`
    select coalesce(sum(inserts), 0)::bigint as inserts, coalesce(sum(warnings), 0)::bigint as warnings
    from group_results where run_id = ${runId}`;
  return { outcomes, calls, ...sums };
}
