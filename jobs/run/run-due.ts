// Decides whether a scheduled run is due; of several processes exactly one starts it. Says how schedules stand.
import type { ScheduleView } from '../../src/acts/shapes/roster.ts';
import { defined } from '../../src/core/defined.ts';
import type { DeliveryContext } from '../../src/wiring/context.ts';
import {
  answersSchedule,
  configuredSchedules,
  isBlackedOut,
  lastDue,
  nextDue,
  nextTimes,
  type Schedule,
} from '../../src/core/run/schedule.ts';
import { moment } from '../../src/core/text/format.ts';
import type { NewRun } from '../../src/ledger/moves/begin-run.ts';
import type { NoticedBy, ScheduleState, Tick, TickKey, TickResult } from '../../src/ledger/runs/ticks.ts';
import { announceAnswers } from './announce.ts';
import { keepAnswers } from '../story/keep-answers.ts';
import { newSourceRun, runSource, sayBusy } from './run-source.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

/** A time that is due and that nobody has handled yet. */
export interface DueTime {
  dueAt: Date;
  /** Times before it were missed as well; one run makes up for all of them. */
  isOneOfSeveral: boolean;
}

/**
 * The time of a schedule that is due: the last one until now, unless the ledger says that somebody handled it. One that was
 * handled by a clock that was far ahead says nothing: until it comes, nothing would be due. Times before it may be given
 * again; the ledger knows which of them were handled.
 */
export function dueTime({ cron, timezone, since, last }: ScheduleState, now: Date): DueTime | undefined {
  const from = last && last.dueAt > since && last.dueAt <= now ? last.dueAt : since;
  const dueAt = lastDue({ cron, timezone }, from, now);
  if (!dueAt) return undefined;
  const first = nextDue({ cron, timezone }, from);
  return { dueAt, isOneOfSeveral: first !== undefined && first < dueAt };
}

/** Why no run begins at a time that is due; undefined if one does. */
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
    reason: `nothing ran until ${moment(now.toISOString(), timezone)}, later than schedule.catchUp allows`,
  };
}

/** A run, or a snapshot of answers, that this process has begun because it was due. */
export interface DueRun {
  key: TickKey;
  /**
   * Reads, plans, and releases or holds the run, or takes the snapshot, and records what happened to it. `runId` is null
   * where there is no run.
   */
  carryOut(signal: AbortSignal): Promise<{ runId: string | null; status: TickResult }>;
}

/** What came of a time that was due. */
export type Noticed = { kind: 'taken' } | { kind: 'skipped'; result: TickResult } | { kind: 'begun'; run: DueRun };

/** Begins the run of a time that is due, or records why there is none. Of all processes that notice, one does it. */
export async function noticeDue(
  context: DeliveryContext,
  {
    source,
    schedule,
    due,
    now,
    noticedBy,
  }: { source: string; schedule: Schedule; due: DueTime; now: Date; noticedBy: NoticedBy },
): Promise<Noticed> {
  const { ledger, log, service } = context;
  const key = { service: service.address, source, dueAt: due.dueAt };
  const said = { source, due: moment(due.dueAt.toISOString(), schedule.timezone), timezone: schedule.timezone };
  const late = due.isOneOfSeveral ? ', which makes up for earlier missed times' : '';
  const words = wordsOf(source);
  const skip = reasonToSkip(schedule, due.dueAt, now);
  if (skip) {
    if (!(await ledger.skipTick({ ...key, worker: ledger.worker, noticedBy, ...skip, runId: null })))
      return { kind: 'taken' };
    log.warn({ ...said, cause: skip.reason }, words.skipped);
    return { kind: 'skipped', result: skip.result };
  }
  const run = runOf(context, source);
  const asked = { worker: ledger.worker, noticedBy, ...defined({ run }) };
  const begun = await ledger.beginTick(key, { ...asked, sayBusy: (other) => sayBusy(source, other) });
  if (begun.kind === 'taken') return begun;
  if (begun.kind === 'busy') {
    log.warn({ ...said, cause: sayBusy(source, begun.run) }, words.skipped);
    return { kind: 'skipped', result: 'busy' };
  }
  log.info({ ...said, ...(run && { run: run.id }), noticedBy }, `${words.begun}${late}`);
  return { kind: 'begun', run: dueRun(context, key, run) };
}

/** What is logged of what is due: a source that is read, or answers that are fetched. */
const wordsOf = (source: string) =>
  source === answersSchedule
    ? {
        skipped: 'answers were due but are not fetched',
        begun: 'answers are due and are fetched',
        again: 'a process died while it fetched answers that were due; they are fetched again',
      }
    : {
        skipped: 'a source was due but is not read',
        begun: 'a source is due and is read',
        again: 'a process died during a run that was due; it starts again',
      };

/** The run of what is due; of answers there is none. */
const runOf = (context: DeliveryContext, source: string): NewRun | undefined =>
  source === answersSchedule ? undefined : newSourceRun(context, { source, trigger: 'schedule' });

/** @param run absent where answers are due */
function dueRun(context: DeliveryContext, key: TickKey, run?: NewRun): DueRun {
  const { ledger, log } = context;
  const { source, dueAt } = key;
  return {
    key,
    async carryOut(signal) {
      const { runId, status, reason } = run
        ? await runSource(context, { source, trigger: 'schedule', signal }, run)
        : await keepAnswers(context, { dueAt, signal }).then(({ result, reason }) => {
            return { runId: null, status: result, reason };
          });
      await ledger.endTick(key, { worker: ledger.worker, runId, result: status, reason });
      if (!run && status === 'failed') await announceAnswers(context);
      log.info({ source, ...(run && { run: runId }), status }, 'what was due is done');
      return { runId, status };
    },
  };
}

/** Takes over a due time of a dead process. Undefined if another process does, or if its run is already released. */
export async function takeOver(
  context: DeliveryContext,
  { tick, schedule, now }: { tick: Tick; schedule: Schedule | undefined; now: Date },
): Promise<DueRun | undefined> {
  const { ledger, log } = context;
  const { source } = tick;
  const skip = schedule
    ? reasonToSkip(schedule, tick.dueAt, now)
    : { result: 'missed' as const, reason: 'its process died, and its schedule no longer exists' };
  const key = { service: tick.service, source, dueAt: tick.dueAt };
  const run = runOf(context, source);
  if (!(await ledger.takeOverTick(tick, ledger.worker, run))) return undefined;
  if (skip) {
    if (run) await ledger.discardRun(run.id);
    await ledger.endTick(key, { worker: ledger.worker, runId: null, ...skip });
    return undefined;
  }
  log.warn({ source, ...(run && { run: run.id }) }, wordsOf(source).again);
  return dueRun(context, key, run);
}

const shownTimes = 5;
/** What is due for less than this, ms, is not missed: a server is handling it at this moment. */
const patienceMs = 2 * 60_000;

/** A schedule as the ledger knows it, with the state of the run that it began last. */
export type KnownSchedule = ScheduleState & { status: string | null };

/**
 * The schedules of a config, in its order.
 * @param known by source; absent where there is no ledger yet
 */
export function viewSchedules(
  config: Parameters<typeof configuredSchedules>[0],
  now: Date,
  known?: ReadonlyMap<string, KnownSchedule>,
): ScheduleView[] {
  return [...configuredSchedules(config)].map(([source, schedule]) =>
    viewOf(source, schedule, { now, ...(known && { known: known.get(source) ?? null }) }),
  );
}

/** What the ledger knows of the schedules of a service, by source. */
export async function readKnownSchedules(ledger: Pick<Ledger, 'listSchedules' | 'findRuns'>, service: string) {
  const states = new Map<string, KnownSchedule>();
  for (const state of await ledger.listSchedules(service)) {
    const [run] = state.last?.runId ? await ledger.findRuns(state.last.runId) : [];
    const isItsOwn = run !== undefined && state.last?.result !== 'unchanged' && state.last?.result !== 'busy';
    states.set(state.source, { ...state, status: isItsOwn ? run.status : null });
  }
  return states;
}

function viewOf(
  source: string,
  schedule: Schedule,
  { now, known }: { now: Date; known?: KnownSchedule | null },
): ScheduleView {
  const { cron, timezone } = schedule;
  const next = nextTimes(schedule, now, shownTimes).map((at) => ({
    at: at.toISOString(),
    isBlackedOut: isBlackedOut(schedule, at),
  }));
  const view = { source, cron, timezone, next };
  if (known === undefined) return view;
  const last = known?.last;
  return {
    ...view,
    last: last
      ? {
          due: last.dueAt.toISOString(),
          result: last.result ?? 'begun',
          reason: last.reason,
          run: last.runId,
          status: known.status,
        }
      : null,
    ...missedOf(schedule, known, now),
  };
}

/** A time that is due and nobody has handled; none of a schedule that `serve` has not begun to keep. */
function missedOf(schedule: Schedule, known: KnownSchedule | null, now: Date): Pick<ScheduleView, 'missed'> {
  if (!known || known.cron !== schedule.cron || known.timezone !== schedule.timezone) return {};
  const due = dueTime(known, now);
  if (!due || now.getTime() - due.dueAt.getTime() < patienceMs) return {};
  const will = reasonToSkip(schedule, due.dueAt, now)?.result ?? 'run';
  return { missed: { due: due.dueAt.toISOString(), will } };
}
