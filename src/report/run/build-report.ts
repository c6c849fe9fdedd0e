// Builds the report of a run from the ledger's totals, problems and holds.
import { defined } from '../../core/defined.ts';
import type { RunTotals } from '../../ledger/runs/reading.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import type { Outcome } from '../../core/call/outcome.ts';
import { writeRate } from '../../core/pace/pacing.ts';
import type { Reject } from '../../core/rows/row.ts';
import type { Throttle } from '../../core/call/throttle.ts';
import { maskAddress } from '../../core/person/mask.ts';
import { holdForMs } from '../../core/guards/trip.ts';
import { holdCommands } from '../terminal/render-hold.ts';
import type { HoldView, RunReport } from './run-report.ts';

// The database gives JSON objects back in an order of its own; the report keeps this one.
const none: Record<Outcome, number> = { succeeded: 0, partial: 0, failed: 0, unknown: 0, superseded: 0, cancelled: 0 };
const noRows = { rows: 0, members: 0, merged: 0, filtered: 0, rejects: 0 };
const noPlan = { new: 0, changed: 0, again: 0, unchanged: 0, later: 0, departed: 0, leftBehind: 0 };

type Held = Pick<HoldView, 'deliveries' | 'inOtherGroups' | 'overDay'>;

function holdOf({ id, trips: reasons, plan, heldAt, status }: Run, held: Held): HoldView {
  const isOver = status !== 'held' || heldAt === null;
  const expiresAt = isOver ? null : new Date(heldAt.getTime() + holdForMs).toISOString();
  const commands = holdCommands(id, { ...held, reasons }).map(({ command }) => command);
  return { ...held, reasons, hash: plan?.hash ?? '', expiresAt, commands };
}

/** When a throttle ends, for people. */
export function throttledUntil({ forMs, reason }: Throttle): { until: string; reason: string } {
  return { until: new Date(Date.now() + forMs).toISOString(), reason };
}

export function buildReport(
  run: Run,
  totals: RunTotals,
  rest: {
    mode: RunReport['mode'];
    rejects: Reject[];
    rejectsFile?: string;
    held?: Held;
    isAbandoned?: boolean;
    throttle?: Throttle | undefined;
  },
): RunReport {
  const { held = { deliveries: 0, inOtherGroups: 0 } } = rest;
  const outcome = { ...none, ...totals.outcome };
  const sum = (of: 'inserts' | 'warnings'): number => totals.groups.reduce((total, group) => total + group[of], 0);
  const { forceSync, invite, rate, attempts } = run.settings;
  return {
    run: run.id,
    source: run.source,
    mode: rest.mode,
    dryRun: false,
    service: run.service,
    roster: { ...noRows, ...run.roster?.counts },
    plan: { ...noPlan, ...run.plan?.counts },
    outcome,
    groups: totals.groups,
    inserts: sum('inserts'),
    warnings: sum('warnings'),
    calls: totals.calls,
    // The clock of the database may be ahead.
    durationMs: run.deliveredMs + (run.deliveringSince ? Math.max(0, Date.now() - run.deliveringSince.getTime()) : 0),
    status: run.status,
    ...(rest.isAbandoned && { isAbandoned: true }),
    ...(run.statusReason === '' ? {} : { statusReason: run.statusReason }),
    ...(run.supersededBy === null ? {} : { supersededBy: run.supersededBy }),
    ...(run.status === 'paused' && run.stoppedBy ? { pausedBy: run.stoppedBy } : {}),
    trigger: run.trigger,
    startedAt: run.createdAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
    repeated: totals.repeated,
    ...(invite && totals.repeatedNew > 0 && { repeatedInvitations: totals.repeatedNew }),
    ...(run.plan?.departures && { departures: run.plan.departures }),
    pending: totals.pending,
    held: held.deliveries,
    settings: { forceSync, invite, rate: writeRate(rate), attempts },
    ...defined({ rejectsFile: rest.rejectsFile }),
    ...(run.roster ? { rosterFile: run.roster.form.file } : {}),
    rejectSamples: rest.rejects,
    ...(totals.refusedAgain > 0 && { refusedAgain: totals.refusedAgain }),
    ...(run.baseline && run.status === 'finished' && { baseline: true }),
    ...(held.deliveries > 0 || run.status === 'held' ? { hold: holdOf(run, held) } : {}),
    ...(rest.throttle && { throttled: throttledUntil(rest.throttle) }),
    problems: totals.problems.map(({ outcome, reason, count, example }) => ({
      outcome: outcome as 'partial' | 'failed' | 'unknown',
      reason,
      count,
      example: maskAddress(example),
    })),
  };
}
