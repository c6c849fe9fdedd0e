// Says for each schedule when it is due next, how it went last, and what was missed.
import {
  configuredSchedules,
  isBlackedOut,
  nextTimes,
  type Schedule,
  type ScheduleView,
} from '../../src/core/run/schedule.ts';
import type { ScheduleState } from '../../src/ledger/runs/ticks.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { dueTime, reasonToSkip } from './run-due.ts';

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
export async function readKnownSchedules(
  ledger: Pick<Ledger, 'listSchedules' | 'findRuns'>,
  service: string,
): Promise<Map<string, KnownSchedule>> {
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
