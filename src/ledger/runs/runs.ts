// Creates runs, changes their states, and finds them.
import { type Selection, sql } from 'kysely';
import type { Rate } from '../../core/pace/pacing.ts';
import type { RosterFacts, RunPlan } from '../../core/run/run.ts';
import { type RunStatus, unfinished } from '../../core/run/run-states.ts';
import type { Database } from '../database/database.ts';
import { toJson } from '../database/json.ts';
import type { Tables } from '../database/schema.ts';

const columns = [
  'id',
  'number',
  'source',
  'service',
  'trigger',
  'status',
  'status_reason as statusReason',
  'stopped_by as stoppedBy',
  'superseded_by as supersededBy',
  'settings',
  'roster',
  'plan',
  'created_at as createdAt',
  'delivering_since as deliveringSince',
  'delivered_ms as deliveredMs',
  'finished_at as finishedAt',
  'answers_removed_at as answersRemovedAt',
  'roster_removed_at as rosterRemovedAt',
  'receipts_removed_at as receiptsRemovedAt',
  'trips',
  'held_at as heldAt',
  'released_at as releasedAt',
  'baseline',
  'begun_by as begunBy',
] as const;

/** A run as the ledger knows it. Times are dates, durations ms. */
export type Run = Selection<Tables, 'runs', (typeof columns)[number]>;

/** Takes a run that was never released out of the ledger, with everything staged for it. */
export async function discardRun(db: Database, id: string): Promise<void> {
  await db.deleteFrom('runs').where('id', '=', id).where('status', 'in', ['planning', 'failed']).execute();
}

/** The run of this id, of this unique prefix of one, or the newest for `latest`; several runs may share a prefix. */
export async function findRuns(db: Database, idOrPrefix: string): Promise<Run[]> {
  const all = db.selectFrom('runs').select(columns).orderBy('number', 'desc');
  if (idOrPrefix === 'latest') return all.limit(1).execute();
  // An empty prefix would match every id, and PostgreSQL cannot store NUL.
  if (!/^[\w-]+$/.test(idOrPrefix)) return [];
  const exact = await all.where('id', '=', idOrPrefix).execute();
  return exact.length > 0
    ? exact
    : all
        .where('id', 'like', `${idOrPrefix.replace(/[\\%_]/g, '\\$&')}%`)
        .limit(5)
        .execute();
}

/** Which runs are listed; what is absent leaves none out. */
export interface RunFilter {
  status?: RunStatus;
  source?: string;
  /** Only those that began then or later. */
  since?: Date;
  /** Only those before the run with this number. */
  before?: number;
}

/** The newest runs first. */
export async function listRuns(
  db: Database,
  limit: number,
  { status, source, since, before }: RunFilter = {},
): Promise<Run[]> {
  let query = db.selectFrom('runs').select(columns);
  if (status !== undefined) query = query.where('status', '=', status);
  if (source !== undefined) query = query.where('source', '=', source);
  if (since !== undefined) query = query.where('created_at', '>=', since);
  if (before !== undefined) query = query.where('number', '<', before);
  return query.orderBy('number', 'desc').limit(limit).execute();
}

/** Runs that still have deliveries to send, the newest first. */
export async function unfinishedRuns(db: Database): Promise<Run[]> {
  return db.selectFrom('runs').select(columns).where('status', 'in', unfinished).orderBy('number', 'desc').execute();
}

/** The run of a source that plans or delivers; runs of events run next to it and do not count. */
export async function activeRun(db: Database, service: string, source: string): Promise<Run | undefined> {
  return db
    .selectFrom('runs')
    .select(columns)
    .where('service', '=', service)
    .where('source', '=', source)
    .where('status', 'in', ['planning', 'delivering'])
    .where('beside', '=', false)
    .executeTakeFirst();
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

/** Starts the clock of a run that is `delivering` and was delivered by nobody until now. */
export async function startClock(db: Database, id: string): Promise<void> {
  await sql`
    update runs set delivering_since = clock_timestamp()
    where id = ${id} and status = 'delivering' and delivering_since is null`.execute(db);
}

/** Gives a run another rate of its own. */
export async function setRate(db: Database, id: string, rate: Rate): Promise<void> {
  await sql`update runs set settings = jsonb_set(settings, '{rate}', ${JSON.stringify(rate)}::jsonb) where id = ${id}`.execute(
    db,
  );
}

export async function describeRoster(db: Database, id: string, roster: RosterFacts): Promise<void> {
  await db
    .updateTable('runs')
    .set({ roster: toJson(roster) })
    .where('id', '=', id)
    .execute();
}

export async function describePlan(db: Database, id: string, plan: RunPlan): Promise<void> {
  await db
    .updateTable('runs')
    .set({ plan: toJson(plan) })
    .where('id', '=', id)
    .execute();
}

/** Whether anything was ever given to anybody at this service: if not, everyone is new. */
export async function knowsAnybodyAt(db: Database, service: string): Promise<boolean> {
  const person = await db
    .selectFrom('people')
    .select('person_key')
    .where('service', '=', service)
    .limit(1)
    .executeTakeFirst();
  return person !== undefined;
}
