// `schedules`: shows the next and the last time of each source.
import { existsSync } from 'node:fs';
import { type Config, findBaseUrl } from '../../../config/load.ts';
import { dueTime, reasonToSkip } from '../../../jobs/index.ts';
import type { LedgerContext } from '../../wiring/context.ts';
import { configuredSchedules, isBlackedOut, nextTimes, type Schedule } from '../../core/run/schedule.ts';
import type { ScheduleState } from '../../ledger/runs/ticks.ts';
import { renderSchedules, type ScheduleView } from '../../report/run/render-schedules.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { type GlobalOptions, openLedgerSession, type Session, withLedger } from '../frame/session.ts';

const shownTimes = 5;
/** What is due for less than this, ms, is not missed: a server is handling it at this moment. */
const patienceMs = 2 * 60_000;

/**
 * `roster-sync schedules`: when each source is read next, and answers are asked for, how it went last, and what was
 * missed. Returns the exit code.
 */
export async function listSchedules(options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  const now = new Date();
  const known = await knownStates(session);
  const views = [...configuredSchedules(config)].map(([source, schedule]) =>
    viewOf(source, schedule, { now, ...(known && { known: known.get(source) ?? null }) }),
  );
  output.print(renderSchedules(views, output.style));
  if (options.json) output.json('schedules', { schedules: views });
  return 0;
}

/** A schedule as the ledger knows it, with the state of the run that it began last. */
type Known = ScheduleState & { status: string | null };

/** What the ledger knows of each source; undefined if there is none. */
async function knownStates(session: Session): Promise<Map<string, Known> | undefined> {
  const { config } = session;
  const baseUrl = findBaseUrl(config);
  if (baseUrl === undefined || !hasLedger(config)) return undefined;
  const { address } = parseBaseUrl(baseUrl);
  return withLedger(session, { command: 'schedules' }, (context) => readStates(context, address));
}

function hasLedger({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || existsSync(dataDir);
}

async function readStates({ ledger }: LedgerContext, service: string): Promise<Map<string, Known>> {
  const states = new Map<string, Known>();
  for (const state of await ledger.listSchedules(service)) {
    const [run] = state.last?.runId ? await ledger.findRuns(state.last.runId) : [];
    const isItsOwn = run !== undefined && state.last?.result !== 'unchanged' && state.last?.result !== 'busy';
    states.set(state.source, { ...state, status: isItsOwn ? run.status : null });
  }
  return states;
}

function viewOf(source: string, schedule: Schedule, { now, known }: { now: Date; known?: Known | null }): ScheduleView {
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
          ...{ result: last.result ?? 'begun', reason: last.reason, run: last.runId, status: known.status },
        }
      : null,
    ...missedOf(schedule, known, now),
  };
}

/** A time that is due and nobody has handled; none of a schedule that `serve` has not begun to keep. */
function missedOf(schedule: Schedule, known: Known | null, now: Date): Pick<ScheduleView, 'missed'> {
  if (!known || known.cron !== schedule.cron || known.timezone !== schedule.timezone) return {};
  const due = dueTime(known, now);
  if (!due || now.getTime() - due.dueAt.getTime() < patienceMs) return {};
  const will = reasonToSkip(schedule, due.dueAt, now)?.result ?? 'run';
  return { missed: { due: due.dueAt.toISOString(), will } };
}
