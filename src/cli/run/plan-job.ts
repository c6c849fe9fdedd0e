// Plans a roster with progress shown, and prepares the plan for the terminal.
import { type PlannedRun, planRoster, runSettings } from '../../../jobs/index.ts';
import type { Context } from '../../wiring/context.ts';
import { undecidedGuard } from '../../core/guards/guard-people.ts';
import { signSentences } from '../../core/inspect/presence/sign.ts';
import { timeFor, writeRate } from '../../core/pace/pacing.ts';
import { parseRosterTime } from '../../core/rows/roster-time.ts';
import type { PlanView } from '../../report/plan/plan-view.ts';
import { createRowProgress } from '../../report/run/progress.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { isTerminal } from '../frame/ask.ts';
import { filterOf } from './plan-people.ts';
import type { Job, RosterRun } from './roster-job.ts';

/** The rejects named with `--verbose` before anything is sent; afterwards all are in a file. */
const manyRejects = 200;

/** What there is to say about a run that is planned. */
export async function plannedReport(context: Context, runId: string, verbose: boolean): Promise<RunReport> {
  const samples = verbose ? { rejectSamples: manyRejects } : {};
  return readReport(context, await findRun(context, runId), samples);
}

/** Plans the roster of a job, with the progress of the reading shown. */
export async function planJob(context: Context, job: Job): Promise<PlannedRun> {
  const { session, options, source, service, trigger, roster, columns, runId } = job;
  const progress = createRowProgress({ stream: process.stderr, label: 'Read', unit: 'row' });
  const interruptions = listenForInterruptions(() => {});
  try {
    return await planRoster(context, {
      ...{ runId, source, service, trigger, roster, columns },
      settings: runSettings(session.config, job.deliver, {
        forceSync: options.forceSync,
        invite: options.invite,
        rate: job.rate,
        ownRate: options.rate !== undefined,
      }),
      isWatched: trigger === 'import' || options.dryRun === true || isTerminal(),
      isDryRun: options.dryRun === true,
      isForceSyncAskedFor: options.forceSync === true,
      isPresenceSettled: options.everybody === true || options.onlyActive === true,
      only: options.only,
      ...(options.asOf !== undefined && {
        asOf: parseRosterTime(options.asOf, { option: '--as-of', now: new Date() }),
      }),
      all: options.all ?? false,
      stagesUnchanged: filterOf(options).kinds?.includes('unchanged') ?? options.unchanged ?? false,
      onRows(rows) {
        interruptions.signal.throwIfAborted();
        if (!session.output.quiet) progress.update(rows);
      },
    });
  } finally {
    progress.stop();
    interruptions.dispose();
  }
}

/** What is shown of a plan before it is sent. */
export async function viewOf(
  context: Context,
  job: Pick<RosterRun, 'source' | 'service' | 'rate'>,
  planned: PlannedRun,
  { report, held }: { report: RunReport; held: number },
): Promise<PlanView> {
  const { source, service, rate } = job;
  const { facts, columns, samples, signs } = planned;
  const { calls, possibleInvitations, groups, counts, estimate } = planned.plan;
  const late = estimate?.isInTime === false ? estimate : undefined;
  return {
    service,
    serviceIsSandbox: false,
    source,
    form: facts.form,
    columns,
    roster: facts.counts,
    plan: counts,
    calls,
    possibleInvitations,
    groups,
    samples,
    forceSync: report.settings.forceSync,
    invite: report.settings.invite,
    rate: writeRate(rate),
    estimatedMs: estimate?.ms ?? timeFor(calls, rate),
    mergedLines: planned.mergedLines,
    remarks: planned.remarks,
    rejectSamples: report.rejectSamples,
    nobodyKnown: !(await context.ledger.knowsAnybodyAt(service)),
    ...(planned.plan.changes && { changes: planned.plan.changes, changed: planned.changed }),
    ...(planned.plan.departures && { departures: planned.plan.departures }),
    ...(planned.plan.removals && { removals: planned.plan.removals }),
    ...(planned.plan.settingsChanged && { settingsChanged: planned.plan.settingsChanged }),
    ...(late && { deadlineMs: late.deadlineMs }),
    ...(estimate && { share: estimate.share }),
    ...(signs.length > 0 && { decision: signSentences(signs) }),
    held: { reasons: planned.trips.filter(({ guard }) => guard !== undecidedGuard), calls: held },
  };
}
