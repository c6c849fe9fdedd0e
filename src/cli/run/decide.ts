// Asks what to do about people in a roster who have left, are disabled, or have not started.
import { randomBytes } from 'node:crypto';
import type { PlannedRun } from '../../../jobs/index.ts';
import type { Context } from '../../wiring/context.ts';
import { undecidedGuard } from '../../core/guards/guard-people.ts';
import { presenceRules } from '../../core/inspect/presence/sign.ts';
import { renderPlan } from '../../report/plan/render-plan.ts';
import { askWhich, isTerminal } from '../frame/ask.ts';
import { planJob, plannedReport, viewOf } from './plan-job.ts';
import type { Job } from './roster-job.ts';

/** A plan about which nothing is left to decide, or nobody is there to do so. */
interface Decided {
  planned: PlannedRun;
  /** People were left out for this run only, so the next run must read its roster again. */
  isNarrowed: boolean;
}

/**
 * Shows a plan whose roster has people who have left or not started, and asks what to do about them; `--yes` is
 * no answer to it. Left out, the roster is planned again without them. Returns the exit code when nothing is to be sent.
 * Without a terminal, or where there is nothing to decide, the plan stays as it is.
 */
export async function decide(context: Context, job: Job, planned: PlannedRun): Promise<Decided | number> {
  const isNarrowed = job.options.onlyActive === true;
  if (planned.signs.length === 0 || !isTerminal()) return { planned, isNarrowed };
  const { output } = job.session;
  const { verbose = false } = job.options;
  const report = await plannedReport(context, planned.runId, verbose);
  output.print(renderPlan(await viewOf(context, job, planned, { report, held: 0 }), output.style, { verbose }));
  const question = 'Leave them out (o for only active), send everybody (e), or stop (Enter)?';
  const reply = await askWhich(question, ['only active', 'everybody'], {
    input: process.stdin,
    output: process.stderr,
  });
  if (reply === 'everybody') {
    const trips = planned.trips.filter(({ guard }) => guard !== undecidedGuard);
    return { planned: { ...planned, trips, signs: [] }, isNarrowed };
  }
  await context.ledger.discardRun(planned.runId);
  if (reply !== 'only active') {
    output.note('Nothing was sent, and nothing was kept.');
    return reply === 'interrupted' ? 130 : 0;
  }
  const columns = { ...job.columns, presence: presenceRules(planned.signs) };
  const options = { ...job.options, onlyActive: true };
  const narrowed = { ...job, columns, options, runId: randomBytes(4).toString('hex') };
  return { planned: await planJob(context, narrowed), isNarrowed: true };
}
