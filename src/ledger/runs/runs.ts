// Creates runs, changes their states, and finds them.
import { type RawBuilder, sql } from 'kysely';
import { say } from '../../core/words/say.ts';
import type { Rate } from '../../core/pace/pacing.ts';
import type { RosterFacts, RunPlan, RunSettings, Stop, Trigger } from '../../core/run/run.ts';
import { type RunStatus, unfinished } from '../../core/run/states.ts';
import type { Trip } from '../../core/guards/trip.ts';
import { countOf, type Database, isThere, rowsOf, toJson, valuesOf } from '../database/database.ts';

/** A source, and the service that its people are sent to, by its normalised address. */
export interface SourceAt {
  service: string;
  source: string;
}

/** A run, and whose it is. */
export interface RunOfSource extends SourceAt {
  runId: string;
}

/** A run as the ledger knows it. Times are dates, durations ms. */
export interface Run {
  id: string;
  /** Counts up; the newest run has the highest. */
  number: number;
  source: string;
  /** The service's normalised address. */
  service: string;
  trigger: Trigger;
  status: RunStatus;
  statusReason: string;
  /** Who stopped it, while it is stopped. */
  stoppedBy: Stop['by'] | null;
  /** The newer run that took its place. */
  supersededBy: string | null;
  settings: RunSettings;
  roster: RosterFacts | null;
  plan: RunPlan | null;
  createdAt: Date;
  /** Set while `delivering`, unless its process died and no other continues it; what counts for the deadline and the brake. */
  deliveringSince: Date | null;
  /** Spent in `delivering` before `deliveringSince`. */
  deliveredMs: number;
  finishedAt: Date | null;
  /** When retention removed its raw answers, its people and rejects, its receipts and deliveries. */
  answersRemovedAt: Date | null;
  rosterRemovedAt: Date | null;
  receiptsRemovedAt: Date | null;
  /** What guards stopped of its plan. */
  trips: Trip[];
  /** Since when something of it waits for an approval. */
  heldAt: Date | null;
  /** When it first released something, or found that nothing is to be sent: from then on its roster counts. */
  releasedAt: Date | null;
  /** Its people were given everything elsewhere; nothing was sent. */
  baseline: boolean;
  /** Who brought its roster or started it; null where a schedule or an event did. */
  begunBy: string | null;
}

async function select(db: Database, condition: RawBuilder<unknown>): Promise<Run[]> {
  return rowsOf<Run>(db)`
    select id, number, source, service, trigger, status, status_reason, stopped_by, superseded_by, settings, roster, plan,
      created_at, delivering_since, delivered_ms, finished_at, answers_removed_at, roster_removed_at, receipts_removed_at,
      trips, held_at, released_at, baseline, begun_by
    from runs ${condition}`;
}

/** A run that nobody else changes until the transaction ends. */
export async function lockRun(transaction: Database, id: string): Promise<Run> {
  const [run] = await select(transaction, sql`where id = ${id} for update`);
  if (!run) throw new Error(`there is no run ${id}`);
  return run;
}

/** Takes a run that was never released out of the ledger, with everything staged for it. */
export async function discardRun(db: Database, id: string): Promise<void> {
  await sql`delete from runs where id = ${id} and status in ('planning', 'failed')`.execute(db);
}

/** The run of this id, of this unique prefix of one, or the newest for `latest`; several runs may share a prefix. */
export async function findRuns(db: Database, idOrPrefix: string): Promise<Run[]> {
  if (idOrPrefix === 'latest') return select(db, sql`order by number desc limit 1`);
  // An empty prefix would match every id, and PostgreSQL cannot store NUL.
  if (!/^[\w-]+$/.test(idOrPrefix)) return [];
  const exact = await select(db, sql`where id = ${idOrPrefix}`);
  if (exact.length > 0) return exact;
  return select(db, sql`where starts_with(id, ${idOrPrefix}) order by number desc limit 5`);
}

/** Which runs are listed; what is absent leaves none out. */
export interface RunFilter {
  status?: RunStatus;
  source?: string;
  /** Only those that began then or later. */
  since?: Date;
  /** Only those before the run with this number. */
  before?: number;
  /** In its source, its id, the name of its file, or who began it; in any case. */
  text?: string;
  /** None that somebody brought on the pages, and that was cancelled before anything was sent, or would have sent nothing. */
  isMeant?: boolean;
}

/** What runs may be listed by. */
const runOrders = {
  started: sql`number`,
  source: sql`lower(source)`,
  people: sql`(roster->'counts'->>'members')::bigint`,
  took: sql`delivered_ms`,
};
export type RunOrder = keyof typeof runOrders;
export const runOrderNames = Object.keys(runOrders) as RunOrder[];

function isAsked({ status, source, since, before, text, isMeant = false }: RunFilter): RawBuilder<unknown> {
  const told = sql`concat_ws(' ', source, id, roster->'form'->>'file', begun_by)`;
  const asked = [
    status && sql`status = ${status}`,
    source !== undefined && sql`source = ${source}`,
    since && sql`created_at >= ${since}`,
    before !== undefined && sql`number < ${before}`,
    text !== undefined && sql`position(lower(${text}) in lower(${told})) > 0`,
    isMeant &&
      sql`not (released_at is null and (status = 'finished' or status = 'cancelled' and trips @> '[{"guard": "brought"}]'))`,
  ].filter((each) => each instanceof Object);
  return sql.join([sql`true`, ...asked], sql` and `);
}

/** The newest runs first, unless said otherwise. */
export async function listRuns(
  db: Database,
  limit: number,
  {
    by = 'started',
    isUp = false,
    from = 0,
    ...filter
  }: RunFilter & { by?: RunOrder; isUp?: boolean; from?: number } = {},
): Promise<Run[]> {
  const order = isUp ? sql`${runOrders[by]} nulls last, number` : sql`${runOrders[by]} desc nulls last, number desc`;
  return select(db, sql`where ${isAsked(filter)} order by ${order} offset ${from} limit ${limit}`);
}

export async function countRuns(db: Database, filter: RunFilter): Promise<number> {
  return countOf(db)`select count(*) as count from runs where ${isAsked(filter)}`;
}

/** The sources that have runs, by their names. */
export async function sourcesOfRuns(db: Database): Promise<string[]> {
  return valuesOf<string>(db)`select distinct source from runs order by source`;
}

/** Runs that still have deliveries to send, the newest first. */
export async function unfinishedRuns(db: Database): Promise<Run[]> {
  return select(db, sql`where status = any (${unfinished}::text[]) order by number desc`);
}

/** The runs of a source that have not ended. */
export async function openRuns(db: Database, { service, source }: SourceAt): Promise<Run[]> {
  return select(db, sql`where service = ${service} and source = ${source} and finished_at is null order by number`);
}

/** The run of a source that plans or delivers; runs of events run next to it and do not count. */
export async function activeRun(db: Database, service: string, source: string): Promise<Run | undefined> {
  const ofSource = sql`service = ${service} and source = ${source}`;
  const [run] = await select(db, sql`where ${ofSource} and status in ('planning', 'delivering') and not beside`);
  return run;
}

/**
 * Stops the clocks of runs that are `delivering` while nobody delivers: their process ended without signing off. What they have
 * spent lasted until their last answer. For a process that knows that no other delivers.
 */
export async function stopClocks(db: Database): Promise<void> {
  const untilLastAnswer = sql`
    select extract(epoch from r.answered_at - runs.delivering_since) * 1000
    from receipts r where r.run_id = runs.id order by r.id desc limit 1`;
  await sql`
    update runs set delivering_since = null, delivered_ms = delivered_ms + greatest(0, (${untilLastAnswer})::bigint)
    where status = 'delivering' and delivering_since is not null`.execute(db);
}

/** Why such a run is paused that nobody looks at. */
export const endedLongAgo = (): string => say('endedLongAgo', 1);

/**
 * The runs of a service that were `delivering` when their process died, whose clocks stand; of those that may go on by themselves only
 * the ones whose last answer, or start, is longer ago than their deadline. What events told is not overtaken by a roster.
 */
export async function standingRuns(db: Database, service: string, areToWait: boolean): Promise<string[]> {
  const lastAnswer = sql`(select max(answered_at) from receipts where run_id = runs.id)`;
  return valuesOf<string>(db)`
    select id from runs where service = ${service} and status = 'delivering' and delivering_since is null
      and (${areToWait}::boolean or (not beside and clock_timestamp() - greatest(state_since, ${lastAnswer})
        > (settings->>'deadlineMs')::bigint * interval '1 millisecond')) order by number`;
}

/** Starts the clock of a run that is `delivering` and was delivered by nobody until now. */
export async function startClock(db: Database, id: string): Promise<void> {
  await sql`
    update runs set delivering_since = clock_timestamp()
    where id = ${id} and status = 'delivering' and delivering_since is null`.execute(db);
}

/** Gives a run another rate of its own. */
export async function setRate(db: Database, id: string, rate: Rate): Promise<void> {
  await sql`update runs set settings = settings || ${JSON.stringify({ rate, ownRate: true })}::jsonb where id = ${id}`.execute(
    db,
  );
}

export async function describeRoster(db: Database, id: string, roster: RosterFacts): Promise<void> {
  await sql`update runs set roster = ${toJson(roster)}::jsonb where id = ${id}`.execute(db);
}

export async function describePlan(db: Database, id: string, plan: RunPlan): Promise<void> {
  await sql`update runs set plan = ${toJson(plan)}::jsonb where id = ${id}`.execute(db);
}

/** Whether anything was ever given to anybody at this service: if not, everyone is new. */
export async function knowsAnybodyAt(db: Database, service: string): Promise<boolean> {
  return isThere(db)`select 1 from people where service = ${service} limit 1`;
}
