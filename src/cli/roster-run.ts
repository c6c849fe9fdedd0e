import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Flag } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { type PlannedRun, planRoster, releaseOrHold, runSettings, writeRejectsFile } from '../../jobs/index.ts';
import type { Context } from '../context.ts';
import { BusyError, InputError } from '../core/errors.ts';
import type { MappingOptions } from '../core/mapping/mapping.ts';
import { type Rate, timeFor, writeRate } from '../core/pacing.ts';
import { parseRosterTime } from '../core/roster-time.ts';
import type { Trigger } from '../core/run.ts';
import type { SourceState } from '../ledger/source-states.ts';
import type { PlanView } from '../report/plan-view.ts';
import { count } from '../report/figures.ts';
import { planJson } from '../report/plan-json.ts';
import { createRowProgress } from '../report/progress.ts';
import { renderResult } from '../report/render-result.ts';
import { renderPlan } from '../report/render-plan.ts';
import { type RunReport, runJson } from '../report/run-report.ts';
import type { RosterFile } from '../roster/open-roster.ts';
import { listenForInterruptions } from '../shutdown.ts';
import { ask, isTerminal } from './ask.ts';
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
  /** As it was typed; see `delivery.maxInvitations`. */
  maxInvitations?: string;
  /** The time the roster speaks of. */
  asOf?: string;
  report?: string;
  /** False with `--no-worker`. */
  worker: boolean;
  /** False with `--no-wait`. */
  wait: boolean;
  /** The people were given everything elsewhere: remember it, and send nothing. */
  baseline?: boolean;
  /** False with `--no-canary`. */
  canary?: boolean;
  /** Of `plan`: where to write it. */
  planOnly?: { output?: string };
}

/** The setting that `--max-invitations` is. */
export function boundOf({ maxInvitations: value }: Pick<RunOptions, 'maxInvitations'>): Flag {
  return { flag: '--max-invitations', setting: 'delivery.maxInvitations', value };
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
  if (run.options.dryRun) return rehearse(context, job);
  return run.options.baseline ? recordAsGiven(context, job) : deliver(context, job);
}

/** With `--verbose` so many rejects are named before anything is sent; afterwards all are in a file. */
const manyRejects = 200;

async function plannedReport(context: Context, runId: string, verbose: boolean): Promise<RunReport> {
  const samples = verbose ? { rejectSamples: manyRejects } : {};
  return readReport(context, await findRun(context, runId), samples);
}

/** `--dry-run`: everything up to the plan; afterwards it was never there. */
async function rehearse(context: Context, job: Job): Promise<number> {
  const { output } = job.session;
  const planned = await plan(context, job);
  const { verbose = false, json = false, all = false, only: _, planOnly } = job.options;
  const report = { ...(await plannedReport(context, planned.runId, verbose)), dryRun: true };
  const held = await context.ledger.countStopped(planned.runId, { all, trips: planned.trips });
  await context.ledger.discardRun(planned.runId);
  const view = await viewOf(context, job, planned, { report, held });
  output.print(renderPlan(view, output.style, { verbose, groups: planOnly !== undefined }));
  const isHeld = held > 0 || planned.trips.some(({ scope }) => scope === 'all');
  const end = isHeld
    ? 'Nothing was sent. A guard would hold it: to send it, import or sync it, then approve it.'
    : undefined;
  output.print(end ?? 'Nothing was sent: this was a dry run.');
  // What was discarded has no id that a command would know.
  const counts = { ...runJson({ ...report, status: isHeld ? 'held' : 'planning' }), run: null };
  const document = planOnly ? { ...counts, planned: planJson(planned, held) } : counts;
  if (json) output.json(document);
  if (planOnly?.output !== undefined)
    await writeFile(planOnly.output, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  return isHeld ? 3 : 0;
}

/** `--baseline`: everybody is recorded as given already, and nothing is sent. */
async function recordAsGiven(context: Context, job: Job): Promise<number> {
  const { session, options } = job;
  const { output } = session;
  const { yes = false, all = false, json = false, verbose = false } = options;
  await refuseWhileUnfinished(context, job);
  const planned = await plan(context, job);
  const { runId, plan: whole } = planned;
  const people = whole.counts.new + whole.counts.changed + whole.counts.again;
  const report = await plannedReport(context, runId, verbose);
  const held = await context.ledger.countStopped(runId, { all, trips: planned.trips });
  output.print(renderPlan(await viewOf(context, job, planned, { report, held }), output.style, { verbose }));
  const question = `Record ${count(people, 'person', 'people')} as given already, and send nothing?`;
  const refusal = people > 0 && !yes ? await askFor(output, question) : undefined;
  if (refusal !== undefined) {
    await context.ledger.discardRun(runId);
    return refusal;
  }
  if (report.rejectsFile !== undefined) await writeRejectsFile(context, runId, report.rejectsFile);
  await context.ledger.recordBaseline(runId);
  await context.backup();
  const ended = await readReport(context, await findRun(context, runId));
  output.print(renderResult(ended, output.style, { verbose }));
  if (json) output.json(runJson(ended));
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
  const report = await plannedReport(context, runId, verbose);
  const stopped = await context.ledger.countStopped(runId, { all, trips: planned.trips });
  const willSend = planned.trips.some(({ scope }) => scope === 'all') ? 0 : planned.plan.calls - stopped;
  const needsYes = planned.plan.calls > 0 && !yes;
  const view = await viewOf(context, job, planned, { report, held: stopped });
  output.print(renderPlan(view, output.style, { rejects: needsYes, held: needsYes, verbose }));
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
  const release = await releaseOrHold(context, planned, {
    all,
    ...(options.canary === false && { careful: false }),
    ...((yes || needsYes) && { approvedBy: osUser() }),
  });
  const leftToOthers = release === 'released' && !(options.worker && options.wait);
  if (leftToOthers && (await context.ledger.countAlive(delivery.tempo.deadAfterMs, context.ledger.worker)) === 0) {
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

/** Asks whether to send. Returns the exit code when the answer is no. */
async function askToSend(output: Output, calls: number): Promise<number | undefined> {
  // What guards hold is not sent: nobody needs to say yes to that.
  if (calls === 0 && isTerminal()) return undefined;
  return askFor(output, `Send ${count(calls, 'person', 'people')} to the service?`);
}

/** Asks a person. Returns the exit code when the answer is no. */
async function askFor(output: Output, question: string): Promise<number | undefined> {
  if (!isTerminal()) {
    output.problem('Nothing was sent: there is nobody to ask here. Look at the plan, then run it again with --yes.');
    return 2;
  }
  const reply = await ask(question, { input: process.stdin, output: process.stderr });
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
      isWatched: trigger === 'import' || options.dryRun === true || isTerminal(),
      isDryRun: options.dryRun === true,
      isForceSyncAskedFor: options.forceSync === true,
      only: options.only,
      ...(options.asOf !== undefined && {
        asOf: parseRosterTime(options.asOf, { option: '--as-of', now: new Date() }),
      }),
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

/** What is shown of a plan before it is sent. */
async function viewOf(
  context: Context,
  job: Pick<RosterRun, 'source' | 'service' | 'rate'>,
  planned: PlannedRun,
  { report, held }: { report: RunReport; held: number },
): Promise<PlanView> {
  const { source, service, rate } = job;
  const { facts, columns, samples } = planned;
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
    held: { reasons: planned.trips, calls: held },
  };
}
