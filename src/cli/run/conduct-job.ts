// Conducts a command's run with the progress of its reading, and shows its plan; a rehearsal is then removed.
import { type Conducted, conductRun, type RunToConduct, type Proposal } from '../../../jobs/run/conduct-run.ts';
import type { PlannedRun } from '../../../jobs/run/planning-run.ts';
import { defined } from '../../core/defined.ts';
import type { Context } from '../../wiring/context.ts';
import { undecidedGuard } from '../../core/guards/guard-people.ts';
import { signSentences } from '../../core/inspect/presence/sign.ts';
import { timeFor, writeRate } from '../../core/pace/pacing.ts';
import { parseRosterTime } from '../../core/guards/roster-time.ts';
import { withoutQuotes } from '../../core/text/format.ts';
import type { PlanView } from '../../report/plan/plan-row.ts';
import { createRowProgress } from '../../report/run/progress.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import { type PlanOptions, renderPlan } from '../../report/terminal/render-plan.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { isTerminal, mayNamePeople } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';
import { filterOf, planFileOf, writePlanPeople, type Job } from './roster-job.ts';
import { exitCodeOfPlan } from '../../acts/exit-code.ts';
import { PlanDocument, RunDocument } from '../../acts/shapes/run.ts';
import { withVersion } from '../../acts/shapes/version.ts';

/** The rejects named with `--verbose` before anything is sent; afterwards all are in a file. */
const manyRejects = 200;

export async function conductJob(
  context: Context,
  { session, options, trigger, opened, run }: Job,
  attended: Pick<RunToConduct, 'attendant' | 'isBaseline'>,
): Promise<Conducted> {
  return conductRun(context, {
    ...attended,
    run,
    open: () => Promise.resolve(opened),
    isWatched: trigger === 'import' || options.dryRun === true || isTerminal(),
    isDryRun: options.dryRun === true,
    isForceSyncAskedFor: options.forceSync === true,
    isPresenceSettled: options.everybody === true || options.onlyActive === true,
    only: options.only,
    ...(options.asOf !== undefined && {
      asOf: parseRosterTime(options.asOf, { option: '--as-of', now: new Date() }),
    }),
    all: options.all ?? false,
    ...(!options.canary && { canary: false }),
    stagesUnchanged: filterOf(options).kinds?.includes('unchanged') ?? options.unchanged ?? false,
    whilePlanning: (plan) => showReading(session.output, plan),
  });
}

async function showReading<Result>(
  { quiet }: Output,
  plan: (onRows: (rows: number, share?: number) => void) => Promise<Result>,
): Promise<Result> {
  using progress = createRowProgress({ stream: process.stderr, label: 'Read', unit: 'row' });
  using interruptions = listenForInterruptions(() => {});
  return await plan((rows, share) => {
    interruptions.signal.throwIfAborted();
    if (!quiet) progress.update(rows, share);
  });
}

/** Prints a plan, its people only where they may be named, of which guards stop so many deliveries. Returns what else there is to say of its run. */
export async function showPlan(
  context: Context,
  { session: { output }, options, run }: Job,
  planned: PlannedRun,
  { stopped, ...parts }: { stopped: number } & Omit<PlanOptions, 'verbose'>,
): Promise<RunReport> {
  const { verbose = false } = options;
  const names = mayNamePeople(options);
  const samples = verbose ? { rejectSamples: manyRejects } : names ? {} : { rejectSamples: 0 };
  const report = await readReport(context, await findRun(context, run.id), samples);
  const view = await viewOf(context, { run, report, planned, stopped });
  const shown = names ? view : withoutPeople(view);
  output.print(renderPlan(shown, output.style, { ...parts, verbose }));
  return report;
}

/** A plan without its people, and without cells of the roster in its remarks. */
function withoutPeople({ form, remarks, ...view }: PlanView): PlanView {
  return {
    ...view,
    form: { ...form, readAs: [] },
    remarks: remarks.map((remark) => (/ the first: line | such as "/.test(remark) ? withoutQuotes(remark) : remark)),
    samples: [],
    changed: [],
  };
}

async function viewOf(
  { ledger }: Context,
  { run, report, planned, stopped }: Pick<Job, 'run'> & { report: RunReport; planned: PlannedRun; stopped: number },
): Promise<PlanView> {
  const { source, service, settings } = run;
  const { facts, plan, columns, samples, signs } = planned;
  const { calls, groups, counts, estimate } = plan;
  const known = new Set(await ledger.groupsGiven(service));
  const late = estimate?.isInTime === false ? estimate : undefined;
  return {
    ...plan,
    service,
    source,
    form: facts.form,
    columns,
    roster: facts.counts,
    plan: counts,
    groups: groups.map((each) => ({ ...each, isNew: known.size > 0 && !known.has(each.group) })),
    samples,
    forceSync: settings.forceSync,
    invite: settings.invite,
    rate: writeRate(settings.rate),
    estimatedMs: estimate?.ms ?? timeFor(calls, settings.rate),
    mergedLines: planned.mergedLines,
    remarks: planned.remarks,
    rejectSamples: report.rejectSamples,
    nobodyKnown: !(await ledger.knowsAnybodyAt(service)),
    ...(plan.changes && { changed: planned.changed }),
    ...defined({ deadlineMs: late?.deadlineMs, share: estimate?.share }),
    ...(signs.length > 0 && { decision: signSentences(signs) }),
    held: { reasons: planned.trips.filter(({ guard }) => guard !== undecidedGuard), calls: stopped },
  };
}

/** Returns the exit code: 3 where a guard would hold it. */
export async function rehearse(context: Context, job: Job): Promise<number> {
  const conducted = await conductJob(context, job, {
    attendant: {
      async confirm(proposal) {
        await show(context, job, proposal);
        return {};
      },
    },
  });
  return exitCodeOfPlan(conducted.became === 'rehearsed' && conducted.isHeld);
}

async function show(context: Context, job: Job, { planned, stopped, isHeld }: Proposal): Promise<void> {
  const { output } = job.session;
  const { json = false, planOnly } = job.options;
  const report = await showPlan(context, job, planned, { stopped, groups: true });
  // A discarded run has no id that a command could find.
  const document = (planOnly ? PlanDocument : RunDocument).parse({
    ...{ ...report, run: null, dryRun: true, status: isHeld ? 'held' : 'planning' },
    ...(planned.signs.length > 0 && { decide: planned.signs }),
    planned: { ...planned.plan, held: stopped, guards: planned.trips },
  });
  output.print(endOf(planned, isHeld));
  if (json) output.json(planOnly ? 'plan' : 'run', document);
  const path = planFileOf(job.options);
  if (path !== undefined) await writePlanPeople(context, job, { planned, document: withVersion(document), path });
}

function endOf({ signs }: PlannedRun, isHeld: boolean): string {
  if (signs.length > 0)
    return 'Nothing was sent. Decide with --only-active or --everybody; without either the run is held.';
  if (isHeld) return 'Nothing was sent. A guard would hold it: to send it, import or sync it, then approve it.';
  return 'Nothing was sent: this was a dry run.';
}
