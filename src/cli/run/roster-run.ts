// The part `import` and `sync` share: plan, ask, deliver, report.
import { randomBytes } from 'node:crypto';
import { keepHold, releaseOrHold, writeRejectsFile } from '../../../jobs/index.ts';
import type { Context } from '../../wiring/context.ts';
import { BusyError, InputError } from '../../core/errors.ts';
import { count } from '../../core/text/figures.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import { renderPlan } from '../../report/plan/render-plan.ts';
import { renderResult } from '../../report/run/render-result.ts';
import { runJson } from '../../report/run/run-report.ts';
import { ask, isTerminal } from '../frame/ask.ts';
import { decide } from './decide.ts';
import { deliverAndReport } from './deliver.ts';
import { withOnlyActive } from './only-active.ts';
import { osUser } from '../frame/os-user.ts';
import type { Output } from '../frame/output.ts';
import { planJob, plannedReport, viewOf } from './plan-job.ts';
import { rehearse } from './rehearse.ts';
import type { Job, RosterRun } from './roster-job.ts';

/** Plans a roster, shows the plan, asks, delivers and reports; or, with `dryRun`, only plans. Returns the exit code. */
export async function runRoster(context: Context, run: RosterRun): Promise<number> {
  const job: Job = await withOnlyActive({ ...run, runId: randomBytes(4).toString('hex') });
  if (run.options.dryRun) return rehearse(context, job);
  return run.options.baseline ? recordAsGiven(context, job) : deliver(context, job);
}

/** `--baseline`: everybody is recorded as given already, and nothing is sent. */
async function recordAsGiven(context: Context, job: Job): Promise<number> {
  const { session, options } = job;
  const { output } = session;
  const { yes = false, all = false, json = false, verbose = false } = options;
  await refuseWhileUnfinished(context, job);
  const planned = await planJob(context, job);
  const { runId, plan: whole } = planned;
  const people = whole.counts.new + whole.counts.changed + whole.counts.again;
  const report = await plannedReport(context, runId, verbose);
  const held = await context.ledger.countStopped(runId, { all, trips: planned.trips });
  output.print(renderPlan(await viewOf(context, job, planned, { report, held }), output.style, { verbose }));
  const question = `Record ${count(people, 'person', 'people')} as given already, and send nothing?`;
  const refusal = people > 0 && !yes ? await askFor(output, question) : undefined;
  if (refusal !== undefined) {
    await context.ledger.discardRun(runId);
    return withoutReport(job, refusal);
  }
  if (report.rejectsFile !== undefined) await writeRejectsFile(context, runId, report.rejectsFile);
  await context.ledger.recordBaseline(runId);
  await context.backup();
  const ended = await readReport(context, await findRun(context, runId));
  output.print(renderResult(ended, output.style, { verbose }));
  if (json) output.json(runJson(ended));
  return withoutReport(job, 0);
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
      'Without Redis and PostgreSQL there are no other workers: leave out --no-worker and --no-wait, or set REDIS_URL and DATABASE_URL.',
    );
  }
  const decided = await decide(context, job, await planJob(context, job));
  if (typeof decided === 'number') return withoutReport(job, decided);
  const { planned } = decided;
  const { runId } = planned;
  const report = await plannedReport(context, runId, verbose);
  const stopped = await context.ledger.countStopped(runId, { all, trips: planned.trips });
  const willSend = planned.trips.some(({ scope }) => scope === 'all') ? 0 : planned.plan.calls - stopped;
  // Without a terminal nobody can decide now: all of it is held, and its approval is the decision.
  const needsYes = planned.plan.calls > 0 && !yes && planned.signs.length === 0;
  const view = await viewOf(context, job, planned, { report, held: stopped });
  output.print(renderPlan(view, output.style, { rejects: needsYes, held: needsYes, verbose }));
  const kept = await keepHold(context, planned, { all });
  const { worker, wait, report: path, excel } = options;
  const delivering = {
    output,
    json,
    verbose,
    worker,
    wait,
    ...(path !== undefined && { report: path }),
    ...(excel && { excel }),
  };
  if (kept !== undefined) {
    output.note(`Roster and plan are the same as in run ${kept}, which stays held.`);
    return deliverAndReport(delivery, { ...delivering, runId: kept });
  }
  if (needsYes) {
    const refusal = await askToSend(output, willSend);
    if (refusal !== undefined) {
      await context.ledger.discardRun(runId);
      return withoutReport(job, refusal);
    }
  }
  if (report.rejectsFile !== undefined) await writeRejectsFile(context, runId, report.rejectsFile);
  // People who wait for a decision must be named by every run until then.
  if (job.version && planned.waiting === 0 && !decided.isNarrowed)
    await context.ledger.rememberSource({ ...job.version, runId });
  const release = await releaseOrHold(context, planned, {
    all,
    ...(options.canary === false && { careful: false }),
    ...((yes || needsYes) && { approvedBy: osUser() }),
  });
  const leftToOthers = release === 'released' && !(worker && wait);
  if (leftToOthers && (await context.ledger.countAlive(delivery.tempo.deadAfterMs, context.ledger.worker)) === 0) {
    output.note('No worker is running: nothing is sent until you start one with `roster-sync worker`.');
  }
  return deliverAndReport(delivery, { ...delivering, runId });
}

/** Says, where a report was asked for, that none was written. */
function withoutReport({ session: { output }, options: { report } }: Job, code: number): number {
  if (report !== undefined) output.note(`${report} was not written: nothing was sent.`);
  return code;
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
    output.problem(
      'Nothing was sent: there is no terminal to ask you on. Look at the plan, then run it again with --yes.',
    );
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
    const next = `\`roster-sync resume ${run.id}\` continues it, \`roster-sync cancel ${run.id}\` ends it`;
    if (run.source === source && run.service === service && run.status === 'delivering') {
      const why = mode === 'production' ? 'is delivered by another process, or was interrupted' : 'was interrupted';
      throw new BusyError(`Run ${run.id} of ${source} ${why} and is not finished: ${next}. Nothing was sent.`);
    }
    session.output.note(`Run ${run.id} of ${run.source} is ${run.status} and not finished: ${next}.`);
  }
}
