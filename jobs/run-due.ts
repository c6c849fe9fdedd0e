import { isBlackedOut, lastDue, nextDue, type Schedule, showTime } from '../src/core/schedule.ts';
import type { NewRun } from '../src/ledger/runs.ts';
import type { NoticedBy, ScheduleState, Tick, TickKey, TickResult } from '../src/ledger/ticks.ts';
import { carryOut, newRun, sayBusy, type SourceRunContext, type SourceRunResult } from './run-source.ts';

/** A time that is due and that nobody has seen to yet. */
export interface DueTime {
  dueAt: Date;
  /** Times before it were missed as well; one run makes up for all of them. */
  isOneOfSeveral: boolean;
}

/** The time of a schedule that is due: the last one until now, unless the ledger says that somebody saw to it. */
export function dueTime({ cron, timezone, since, last }: ScheduleState, now: Date): DueTime | undefined {
  const from = last && last.dueAt > since ? last.dueAt : since;
  const dueAt = lastDue({ cron, timezone }, from, now);
  if (!dueAt) return undefined;
  const first = nextDue({ cron, timezone }, from);
  return { dueAt, isOneOfSeveral: first !== undefined && first < dueAt };
}

/** Why no run begins at a time that is due; undefined where one does. */
export function reasonToSkip(
  schedule: Schedule,
  dueAt: Date,
  now: Date,
): { result: 'blackout' | 'missed'; reason: string } | undefined {
  const { timezone, catchUp } = schedule;
  if (isBlackedOut(schedule, dueAt) || isBlackedOut(schedule, now)) {
    return { result: 'blackout', reason: 'nothing is read on this day (schedule.blackout)' };
  }
  if (now.getTime() - dueAt.getTime() <= catchUp) return undefined;
  return {
    result: 'missed',
    reason: `nothing ran until ${showTime(now, timezone)}; that is too long (schedule.catchUp)`,
  };
}

/** A run that this process has begun because it was due. */
export interface DueRun {
  key: TickKey;
  /** Reads, plans, and releases or holds it, and writes down what became of it. */
  carryOut(signal: AbortSignal): Promise<SourceRunResult>;
}

/** What came of a time that was due. */
export type Noticed = { kind: 'taken' } | { kind: 'skipped'; result: TickResult } | { kind: 'begun'; run: DueRun };

/**
 * Sees to a time that is due: begins its run, or writes down why there is none. Of any number of processes that notice,
 * one does it.
 */
export async function noticeDue(
  context: SourceRunContext,
  {
    source,
    schedule,
    due,
    now,
    noticedBy,
  }: {
    source: string;
    schedule: Schedule;
    due: DueTime;
    now: Date;
    noticedBy: NoticedBy;
  },
): Promise<Noticed> {
  const { ledger, log, service } = context;
  const key = { service: service.address, source, dueAt: due.dueAt };
  const said = { source, due: showTime(due.dueAt, schedule.timezone), timezone: schedule.timezone };
  const skip = reasonToSkip(schedule, due.dueAt, now);
  if (skip) {
    if (!(await ledger.skipTick(key, { worker: ledger.worker, noticedBy, ...skip }))) return { kind: 'taken' };
    log.warn({ ...said, cause: skip.reason }, 'a source was due and is not read');
    return { kind: 'skipped', result: skip.result };
  }
  const run = newRun(context, { source, trigger: 'schedule' });
  const begun = await ledger.beginTick(key, { run, noticedBy, sayBusy: (other) => sayBusy(source, other) });
  if (begun.kind === 'taken') return begun;
  if (begun.kind === 'busy') {
    log.warn({ ...said, cause: sayBusy(source, begun.run) }, 'a source was due and is not read');
    return { kind: 'skipped', result: 'busy' };
  }
  const late = due.isOneOfSeveral ? ', and makes up for earlier times that were missed' : '';
  log.info({ ...said, run: run.id, noticedBy }, `a source is due and is read${late}`);
  return { kind: 'begun', run: dueRun(context, key, run) };
}

function dueRun(context: SourceRunContext, key: TickKey, run: NewRun): DueRun {
  const { ledger, log } = context;
  const { source } = key;
  return {
    key,
    async carryOut(signal) {
      const ended = await carryOut(context, run, { source, trigger: 'schedule', signal });
      const { runId, status, reason } = ended;
      await ledger.endTick(key, { worker: ledger.worker, runId, result: status, reason });
      log.info({ source, run: runId, status }, 'what was due is done');
      return ended;
    },
  };
}

/**
 * Takes over what was due and whose process has died over it, or has given it up. Undefined where somebody else does, or
 * where what it sends is released already.
 */
export async function takeOver(
  context: SourceRunContext,
  { tick, schedule, now }: { tick: Tick; schedule: Schedule | undefined; now: Date },
): Promise<DueRun | undefined> {
  const { ledger, log } = context;
  const { source } = tick;
  const run = newRun(context, { source, trigger: 'schedule' });
  const skip = schedule
    ? reasonToSkip(schedule, tick.dueAt, now)
    : { result: 'missed' as const, reason: 'its process has died, and the source has no schedule any more' };
  if (!(await ledger.takeOverTick(tick, run))) return undefined;
  const key = { service: tick.service, source, dueAt: tick.dueAt };
  if (skip) {
    await ledger.discardRun(run.id);
    await ledger.endTick(key, { worker: ledger.worker, runId: run.id, ...skip });
    return undefined;
  }
  log.warn({ source, run: run.id }, 'a process died over a run that was due; it begins anew');
  return dueRun(context, key, run);
}
