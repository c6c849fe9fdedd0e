import { randomBytes } from 'node:crypto';
import type { SourceConfig } from '../../config/source-schema.ts';
import { type PlannedRun, planRoster, releaseOrHold, runSettings, writeRejectsFile } from '../../jobs/index.ts';
import type { Context } from '../context.ts';
import { BusyError, InputError } from '../core/errors.ts';
import type { MappingOptions } from '../core/mapping.ts';
import { type Rate, timeFor, writeRate } from '../core/pacing.ts';
import type { Trigger } from '../core/run.ts';
import type { SourceState } from '../ledger/source-states.ts';
import type { PlanView } from '../report/plan-view.ts';
import { createRowProgress } from '../report/progress.ts';
import { renderPlan } from '../report/render-plan.ts';
import { type RunReport, runJson } from '../report/run-report.ts';
import type { RosterFile } from '../roster/open-roster.ts';
import { listenForInterruptions } from '../shutdown.ts';
import { ask } from './ask.ts';
import { deliverAndReport } from './deliver.ts';
import type { Output } from './output.ts';
import { findRun, readReport } from '../report/read-report.ts';
import { osUser } from './os-user.ts';
import type { GlobalOptions, Session } from './session.ts';

/** The flags of everything that plans and delivers a roster. */
export interface RunOptions extends GlobalOptions {
  forceSync?: boolean;
  invite?: boolean;
  rate?: string;
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  only: string[];
  report?: string;
  /** False with `--no-worker`. */
  worker: boolean;
  /** False with `--no-wait`. */
  wait: boolean;
}

/** A roster on its way from its first row to its last receipt. */
export interface RosterRun {
  session: Session;
  options: RunOptions;
  trigger: Trigger;
  source: string;
  /** The service's normalised address. */
  service: string;
  /** The roster, opened; whoever opened it closes it. */
  roster: RosterFile;
  columns: MappingOptions;
  /** What the source says of delivering. */
  deliver?: SourceConfig['deliver'];
  rate: Rate;
  /** What the roster's server said of it, to be remembered with the run. */
  version?: Pick<SourceState, 'digest' | 'validators'>;
}

/** A run with its id. */
type Job = RosterRun & { runId: string };

/** Plans a roster, shows the plan, asks, delivers and reports; or, with `dryRun`, only plans. Returns the exit code. */
export async function runRoster(context: Context, run: RosterRun): Promise<number> {
  const job: Job = { ...run, runId: randomBytes(4).toString('hex') };
  return run.options.dryRun ? rehearse(context, job) : deliver(context, job);
}

/** `--dry-run`: everything up to the plan; afterwards it was never there. */
async function rehearse(context: Context, job: Job): Promise<number> {
  const { output } = job.session;
  const planned = await plan(context, job);
  const report = { ...(await readReport(context, await findRun(context, planned.runId))), dryRun: true };
  await context.ledger.discardRun(planned.runId);
  const { verbose = false, json = false } = job.options;
  output.print(renderPlan(await viewOf(context, job, planned, report), output.style, { verbose }));
  output.print('Nothing was sent: this was a dry run.');
  if (json) output.json(runJson({ ...report, status: 'planning' }));
  return 0;
}

async function deliver(context: Context, job: Job): Promise<number> {
  const { session, options, rate } = job;
  const { output } = session;
  const { yes = false, all = false, json = false, verbose = false } = options;
  if (context.directory?.isNew) output.note(`What is sent is remembered in ${context.directory.path}`);
  await refuseWhileUnfinished(context, job);
  const delivery = await context.openDelivery(rate);
  if (!delivery.shared && !(options.worker && options.wait)) {
    throw new InputError(
      'Without Redis and PostgreSQL nobody else would deliver: leave out --no-worker and --no-wait, or set REDIS_URL and DATABASE_URL.',
    );
  }
  const planned = await plan(context, job);
  const { runId } = planned;
  const report = await readReport(context, await findRun(context, runId));
  const stopped = await context.ledger.countStopped(runId, { all, trips: planned.trips });
  const willSend = planned.trips.some(({ scope }) => scope === 'all') ? 0 : planned.plan.calls - stopped;
  const needsYes = planned.plan.calls > 0 && !yes;
  output.print(renderPlan(await viewOf(context, job, planned, report), output.style, { rejects: needsYes, verbose }));
  if (needsYes) {
    const refusal = await askToSend(output, willSend);
    if (refusal !== undefined) {
      await context.ledger.discardRun(runId);
      return refusal;
    }
  }
  if (report.rejectsFile !== undefined) await writeRejectsFile(context, runId, report.rejectsFile);
  // Whoever waits for a decision must be named by every run until then.
  if (job.version && planned.waiting === 0) await context.ledger.rememberSource({ ...job.version, runId });
  const release = await releaseOrHold(context, planned, { all, ...((yes || needsYes) && { approvedBy: osUser() }) });
  const leftToOthers = release === 'released' && !(options.worker && options.wait);
  if (leftToOthers && (await context.ledger.countOthers(context.ledger.worker, delivery.tempo.deadAfterMs)) === 0) {
    output.note('No worker is running just now: nothing is sent before one is started with `roster-sync worker`.');
  }
  return deliverAndReport(delivery, {
    runId,
    output,
    json,
    verbose,
    worker: options.worker,
    wait: options.wait,
    ...(options.report === undefined ? {} : { report: options.report }),
  });
}

function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks whether to send. Returns the exit code when the answer is no. */
async function askToSend(output: Output, calls: number): Promise<number | undefined> {
  if (!isTerminal()) {
    output.problem('Nothing was sent: there is nobody to ask here. Look at the plan, then run it again with --yes.');
    return 2;
  }
  // What guards hold is not sent: nobody needs to say yes to that.
  if (calls === 0) return undefined;
  const people = calls === 1 ? '1 person' : `${calls} people`;
  const reply = await ask(`Send ${people} to the service?`, { input: process.stdin, output: process.stderr });
  if (reply === 'yes') return undefined;
  output.note('Nothing was sent, and nothing was kept.');
  return reply === 'interrupted' ? 130 : 0;
}

/** One run of a source delivers at a time; unfinished runs of others are only mentioned. */
async function refuseWhileUnfinished({ ledger, mode }: Context, { source, service, session }: Job): Promise<void> {
  for (const run of await ledger.unfinishedRuns()) {
    const next = `\`roster-sync resume ${run.id}\` goes on with it, \`roster-sync cancel ${run.id}\` ends it`;
    if (run.source === source && run.service === service && run.status === 'delivering') {
      const why = mode === 'production' ? 'is delivered by another process, or was interrupted' : 'was interrupted';
      throw new BusyError(`Run ${run.id} of ${source} ${why} and is not finished: ${next}. Nothing was sent.`);
    }
    session.output.note(`Run ${run.id} of ${run.source} is ${run.status} and not finished: ${next}.`);
  }
}

async function plan(context: Context, job: Job): Promise<PlannedRun> {
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
      isWatched: trigger === 'import' || isTerminal(),
      isForceSyncAskedFor: options.forceSync === true,
      only: options.only,
      all: options.all ?? false,
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

async function viewOf(context: Context, job: Job, planned: PlannedRun, report: RunReport): Promise<PlanView> {
  const { source, service, rate } = job;
  const { facts, columns, samples } = planned;
  const { calls, possibleInvitations, groups, counts } = planned.plan;
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
    estimatedMs: timeFor(calls, rate),
    mergedLines: planned.mergedLines,
    remarks: planned.remarks,
    rejectSamples: report.rejectSamples,
    nobodyKnown: !(await context.ledger.knowsAnybodyAt(service)),
  };
}
