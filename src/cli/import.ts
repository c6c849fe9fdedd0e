import { randomBytes } from 'node:crypto';
import { basename, extname } from 'node:path';
import { type Config, requireBaseUrl } from '../../config/load.ts';
import { type PlannedRun, planRoster } from '../../jobs/index.ts';
import type { Context } from '../context.ts';
import { BusyError, InputError } from '../core/errors.ts';
import { type Rate, timeFor, writeRate } from '../core/pacing.ts';
import type { RunSettings } from '../core/run.ts';
import { openRoster, type RosterFile } from '../roster/open-roster.ts';
import type { PlanView } from '../report/plan-view.ts';
import { createRowProgress } from '../report/progress.ts';
import { renderPlan } from '../report/render-plan.ts';
import { checkReportPath } from '../report/report-file.ts';
import { type RunReport, runJson } from '../report/run-report.ts';
import { parseBaseUrl } from '../service/address.ts';
import { listenForInterruptions } from '../shutdown.ts';
import { ask } from './ask.ts';
import { deliverAndReport } from './deliver.ts';
import { chooseRate } from './rate.ts';
import type { Output } from './output.ts';
import { findRun, readReport, writeRejectsFile } from './read-report.ts';
import { type GlobalOptions, openSession, type Session, withContext } from './session.ts';

/** The flags of `import`. */
export interface ImportOptions extends GlobalOptions {
  source?: string;
  group: string[];
  groupColumn: string[];
  map: Record<string, string>;
  encoding?: string;
  delimiter?: string;
  forceSync?: boolean;
  invite?: boolean;
  rate?: string;
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  only: string[];
  report?: string;
}

/** Where a plan is for, when no service is set: a dry run needs none. */
const noService = '(no service is set)';

/** `roster-sync import <file>`: read, plan, ask, deliver, report. Returns the exit code. */
export async function importRoster(file: string, options: ImportOptions): Promise<number> {
  const session = openSession(options, [
    { flag: '--force-sync', setting: 'delivery.forceSync', value: options.forceSync },
    { flag: '--invite', setting: 'delivery.invite', value: options.invite },
  ]);
  const { config, output, log } = session;
  const { dryRun = false } = options;
  if (options.report !== undefined) checkReportPath(options.report);
  const source = options.source ?? sourceOf(file);
  const service =
    dryRun && config.service.baseUrl === undefined ? noService : parseBaseUrl(requireBaseUrl(config)).address;
  const { rate, note } = chooseRate(config, options.rate);
  if (note !== undefined) output.note(note);
  const { encoding, delimiter } = options;
  const roster = await openRoster(file === '-' ? process.stdin : file, {
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
  });
  try {
    return await withContext({ config, log, command: `import ${file}`, create: !dryRun, dryRun }, async (context) => {
      const job: Import = { session, options, source, service, roster, rate, runId: randomBytes(4).toString('hex') };
      return dryRun ? rehearse(context, job) : deliver(context, job);
    });
  } finally {
    await roster.close();
  }
}

/** One import on its way through the phases. */
interface Import {
  session: Session;
  options: ImportOptions;
  source: string;
  service: string;
  roster: RosterFile;
  rate: Rate;
  runId: string;
}

function sourceOf(file: string): string {
  if (file === '-') throw new InputError('Standard input has no name: say which source it is with --source NAME.');
  return basename(file, extname(file));
}

/** `--dry-run`: everything up to the plan; afterwards it was never there. */
async function rehearse(context: Context, job: Import): Promise<number> {
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

async function deliver(context: Context, job: Import): Promise<number> {
  const { session, options, rate } = job;
  const { output } = session;
  const { yes = false, all = false, json = false, verbose = false } = options;
  await refuseWhileUnfinished(context, job);
  const delivery = await context.openDelivery(rate);
  const planned = await plan(context, job);
  const { runId } = planned;
  const report = await readReport(context, await findRun(context, runId));
  const needsYes = planned.plan.calls > 0 && !yes;
  output.print(renderPlan(await viewOf(context, job, planned, report), output.style, { rejects: needsYes, verbose }));
  if (needsYes) {
    const refusal = await askToSend(output, planned.plan.calls);
    if (refusal !== undefined) {
      await context.ledger.discardRun(runId);
      return refusal;
    }
  }
  if (report.rejectsFile !== undefined) await writeRejectsFile(context, runId, report.rejectsFile);
  await context.ledger.releaseRun(runId, all);
  await closeOvertaken(context, runId);
  return deliverAndReport(delivery, {
    runId,
    output,
    json,
    verbose,
    ...(options.report === undefined ? {} : { report: options.report }),
  });
}

/** Asks whether to send. Returns the exit code when the answer is no. */
async function askToSend(output: Output, calls: number): Promise<number | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    output.problem('Nothing was sent: there is nobody to ask here. Look at the plan, then run it again with --yes.');
    return 2;
  }
  const people = calls === 1 ? '1 person' : `${calls} people`;
  const reply = await ask(`Send ${people} to the service?`, { input: process.stdin, output: process.stderr });
  if (reply === 'yes') return undefined;
  output.note('Nothing was sent, and nothing was kept.');
  return reply === 'interrupted' ? 130 : 0;
}

/** One run of a source delivers at a time; unfinished runs of others are only mentioned. */
async function refuseWhileUnfinished({ ledger }: Context, { source, service, session }: Import): Promise<void> {
  for (const run of await ledger.unfinishedRuns()) {
    const next = `\`roster-sync resume ${run.id}\` goes on with it, \`roster-sync cancel ${run.id}\` ends it`;
    if (run.source === source && run.service === service && run.status === 'delivering') {
      throw new BusyError(`Run ${run.id} of ${source} was interrupted and is not finished: ${next}. Nothing was sent.`);
    }
    session.output.note(`Run ${run.id} of ${run.source} is ${run.status} and not finished: ${next}.`);
  }
}

async function plan(context: Context, job: Import): Promise<PlannedRun> {
  const { session, options, source, service, roster, rate, runId } = job;
  const progress = createRowProgress({ stream: process.stderr, label: 'Read', unit: 'row' });
  const interruptions = listenForInterruptions(() => {});
  try {
    return await planRoster(context, {
      runId,
      source,
      service,
      trigger: 'import',
      settings: settingsOf(session.config, rate),
      roster,
      columns: { map: options.map, groups: options.group, groupColumns: options.groupColumn },
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

function settingsOf({ delivery }: Config, rate: Rate): RunSettings {
  const { forceSync, invite, attempts, backoff, deadlineMs } = delivery;
  return { forceSync, invite, attempts, backoff, deadlineMs, rate };
}

/** What a newer roster has overtaken completely is over. */
async function closeOvertaken(context: Context, runId: string): Promise<void> {
  for (const run of await context.ledger.unfinishedRuns()) {
    if (run.id === runId || run.status === 'delivering') continue;
    if (!(await context.ledger.isDelivered(run.id))) continue;
    await context.ledger.moveRun(run.id, ['paused', 'halted'], 'cancelled', {
      by: 'service',
      reason: `replaced by run ${runId}`,
    });
  }
}

async function viewOf(context: Context, job: Import, planned: PlannedRun, report: RunReport): Promise<PlanView> {
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
    rejectSamples: report.rejectSamples,
    nobodyKnown: !(await context.ledger.knowsAnybodyAt(service)),
  };
}
