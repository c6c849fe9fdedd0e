// Stores the last times at which a source was due, and which process took them.
import { sql } from 'kysely';
import { BusyError } from '../../core/errors.ts';
import type { Timetable } from '../../core/run/schedule.ts';
import { type Database, isThere, rowsOf, changed } from '../database/database.ts';
import { createRun, diedWhilePlanning, failRun, type NewRun } from '../moves/begin-run.ts';
import { isDead } from '../moves/workers.ts';
import { activeRun, type Run, type SourceAt } from './runs.ts';

/** What happened to a time that was due, in addition to the states of a run: no run was to be begun then. Of answers: they are kept. */
export type TickResult = Run['status'] | 'unchanged' | 'busy' | 'blackout' | 'missed' | 'kept';

/** Who noticed that a time was due: a process whose timer had ended, or one that looked when it started. */
export type NoticedBy = 'scheduler' | 'start';

export interface TickKey extends SourceAt {
  dueAt: Date;
}

export interface Tick extends TickKey {
  noticedBy: NoticedBy;
  worker: string;
  /** The run that it began; of `unchanged` the one since which nothing has changed, of `busy` the one in the way. */
  runId: string | null;
  /** Null while it is being carried out. */
  result: TickResult | null;
  reason: string;
  endedAt: Date | null;
}

/** A source with a schedule, and how far it has come. */
export interface ScheduleState extends Timetable {
  source: string;
  /** Its times count from here on: it was configured then, or changed. */
  since: Date;
  /** The last time that was due and was dealt with. */
  last: Tick | null;
}

/** The results after which all is well: the newest of them is kept too. */
const good = sql.join(['unchanged', 'kept']);

/**
 * Records which sources are read when; those that are no longer among them are forgotten, unless another process is alive, whose
 * they may be. The times of one that is new or was changed count from now on; so do those of one that was first seen by a
 * clock that was ahead.
 */
export async function keepSchedules(
  db: Database,
  service: string,
  { schedules, now, isAlone }: { schedules: readonly (Timetable & { source: string })[]; now: Date; isAlone: boolean },
): Promise<void> {
  const sources = schedules.map(({ source }) => source);
  await db.transaction().execute(async (transaction) => {
    await sql`
      delete from schedules where service = ${service} and source <> all(${sources}::text[]) and ${isAlone}`.execute(
      transaction,
    );
    for (const { source, cron, timezone } of schedules) {
      await sql`
        insert into schedules (service, source, cron, timezone, since)
        values (${service}, ${source}, ${cron}, ${timezone}, ${now})
        on conflict (service, source) do update
          set cron = excluded.cron, timezone = excluded.timezone, since = excluded.since
          where (schedules.cron, schedules.timezone) <> (excluded.cron, excluded.timezone)
            or schedules.since > excluded.since`.execute(transaction);
    }
  });
}

/** The schedules of a service, each with the last of its times that was dealt with. */
export async function listSchedules(db: Database, service: string): Promise<ScheduleState[]> {
  const rows = await rowsOf<Timetable & { source: string; since: Date } & (Tick | { dueAt: null })>(db)`
    select s.source, s.cron, s.timezone, s.since, s.service, t.due_at, t.noticed_by, t.worker, t.run_id, t.result, t.reason, t.ended_at
    from schedules s
    left join lateral (
      select * from ticks t where t.service = s.service and t.source = s.source order by t.due_at desc limit 1
    ) t on true
    where s.service = ${service} order by s.source`;
  return rows.map(({ cron, timezone, since, ...tick }) => {
    const last = tick.dueAt === null ? null : tick;
    return { source: tick.source, cron, timezone, since, last };
  });
}

/** What came of the wish to begin what is due. */
export type Begun =
  /** The row of its run, where one belongs to it, is there: the caller carries it out. */
  | { kind: 'begun' }
  /** Somebody else handled this time. */
  | { kind: 'taken' }
  /** Another run of the source plans or delivers; that is recorded. */
  | { kind: 'busy'; run: Run | undefined };

/** How often the wish is tried while other runs of the source begin and end. */
const mostTries = 3;

/**
 * In one transaction: of any number of processes one begins it, and one that dies has left behind both or neither.
 * @param asked.run absent where no run belongs to that time: whoever asks again after the first answer was lost is told that
 *   it is taken, and finds it among its open ones
 */
export async function beginTick(
  db: Database,
  key: TickKey,
  {
    run,
    sayBusy,
    ...of
  }: { worker: string; noticedBy: NoticedBy; run?: NewRun; sayBusy(run: Run | undefined): string },
): Promise<Begun> {
  const tick = { ...key, ...of, runId: run?.id ?? null, result: null, reason: '' };
  if (run === undefined) return { kind: (await writeTick(db, tick)) ? 'begun' : 'taken' };
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(async (transaction) => {
        const other = await activeRun(transaction, key.service, key.source);
        // Asked again after the first answer was lost: it is this very run.
        const blocking = other?.id === run.id ? undefined : other;
        const isBusy = blocking && { runId: blocking.id, result: 'busy' as const, reason: sayBusy(blocking) };
        if (!(await writeTick(transaction, { ...tick, ...isBusy })))
          return { kind: (await hasBegun(transaction, key, run.id)) ? 'begun' : 'taken' };
        if (blocking) return { kind: 'busy', run: blocking };
        await createRun(transaction, run);
        return { kind: 'begun' };
      });
    } catch (error) {
      if (!(error instanceof BusyError) || tries === mostTries) throw error;
    }
  }
}

/**
 * Writes a time that is due, and removes those before it that ended a day ago and that nobody asks about. Returns false if
 * another process has handled it.
 */
export async function writeTick(db: Database, tick: Omit<Tick, 'endedAt'>): Promise<boolean> {
  const { service, source, dueAt, noticedBy, worker, runId, result, reason } = tick;
  const written = await changed(db)`
    insert into ticks (service, source, due_at, noticed_by, worker, run_id, result, reason, ended_at)
    values (${service}, ${source}, ${dueAt}, ${noticedBy}, ${worker}, ${runId}, ${result}, ${reason},
      case when ${result}::text is null then null else clock_timestamp() end)
    on conflict do nothing`;
  await sql`
    delete from ticks t using (
      select max(due_at) as newest, max(due_at) filter (where result in (${good})) as good from ticks
      where service = ${service} and source = ${source}) kept
    where t.service = ${service} and t.source = ${source} and t.due_at < kept.newest
      and t.ended_at < clock_timestamp() - interval '1 day' and t.due_at is distinct from kept.good
      and (t.due_at < kept.good or not exists (
        select 1 from notifications n
          where (n.service, n.source, n.tick_due_at) = (t.service, t.source, t.due_at)))`.execute(db);
  return written > 0;
}

async function hasBegun(db: Database, { service, source, dueAt }: TickKey, runId: string): Promise<boolean> {
  return isThere(db)`
    select 1 from ticks
    where service = ${service} and source = ${source} and due_at = ${dueAt} and run_id = ${runId}
      and result is null`;
}

/** Records what happened to a time that was due, unless another process has taken it over. */
export async function endTick(
  db: Database,
  { service, source, dueAt }: TickKey,
  { worker, runId, result, reason }: { worker: string; runId: string | null; result: TickResult; reason: string },
): Promise<void> {
  await sql`
    update ticks set result = ${result}, reason = ${reason}, run_id = ${runId}, ended_at = clock_timestamp()
    where service = ${service} and source = ${source} and due_at = ${dueAt} and worker = ${worker}
      and result is null`.execute(db);
}

/** Runs that were due and that nobody has ended yet, with whether the process that carries each out is taken for dead. */
export async function openTicks(
  db: Database,
  { service, worker, deadAfterMs }: { service: string; worker: string; deadAfterMs: number },
) {
  return rowsOf<Tick & { isAbandoned: boolean }>(db)`
    select t.*, t.worker <> ${worker} and ${isDead(sql`t.worker`, { worker, deadAfterMs })} as is_abandoned
    from ticks t where t.service = ${service} and t.result is null order by t.due_at`;
}

/**
 * Takes over what was due and whose process has died. What its run planned is given up, in the same transaction in which the new
 * run begins; what it had released already is left to the delivering process. Returns whether there is anything to carry out.
 * @param run absent where no run belongs to that time
 */
export async function takeOverTick(
  db: Database,
  { service, source, dueAt, worker: before, runId }: Tick,
  worker: string,
  run?: NewRun,
): Promise<boolean> {
  const isIt = sql`service = ${service} and source = ${source} and due_at = ${dueAt}`;
  return db.transaction().execute(async (transaction) => {
    const rows = await rowsOf(transaction)`
      update ticks set worker = ${worker}, run_id = ${run?.id ?? null}
      where ${isIt} and worker = ${before} and run_id is not distinct from ${runId} and result is null
      returning 1`;
    if (run === undefined) return rows.length > 0;
    if (rows.length === 0) return hasBegun(transaction, { service, source, dueAt }, run.id);
    const runs = await rowsOf<Pick<Run, 'id' | 'status'>>(transaction)`
      select id, status from runs where id = ${runId}`;
    const [former] = runs;
    if (former && former.status !== 'planning' && former.status !== 'failed') {
      await sql`
        update ticks set worker = ${before}, run_id = ${runId}, result = ${former.status}, ended_at = clock_timestamp()
        where ${isIt}`.execute(transaction);
      return false;
    }
    if (former) await failRun(transaction, { ...run, id: former.id }, diedWhilePlanning());
    await createRun(transaction, run);
    return true;
  });
}
