// Rehearses a run for `plan` and `--dry-run`: plans it, shows it, then removes it.
import type { PlannedRun } from '../../../jobs/index.ts';
import type { Context } from '../../wiring/context.ts';
import { planJson } from '../../report/plan/plan-json.ts';
import { renderPlan } from '../../report/plan/render-plan.ts';
import { runJson } from '../../report/run/run-report.ts';
import { planJob, plannedReport, viewOf } from './plan-job.ts';
import { planFileOf, writePlanPeople } from './plan-people.ts';
import type { Job } from './roster-job.ts';

/** `--dry-run`: everything up to the plan, then removes all traces of it. */
export async function rehearse(context: Context, job: Job): Promise<number> {
  const { output } = job.session;
  const planned = await planJob(context, job);
  const { verbose = false, json = false, all = false, only: _, planOnly } = job.options;
  const report = { ...(await plannedReport(context, planned.runId, verbose)), dryRun: true };
  const held = await context.ledger.countStopped(planned.runId, { all, trips: planned.trips });
  const isHeld = held > 0 || planned.trips.some(({ scope }) => scope === 'all');
  const path = planFileOf(job.options);
  // A discarded run has no id that a command could find.
  const counts = {
    ...runJson({ ...report, status: isHeld ? 'held' : 'planning' }),
    run: null,
    ...(planned.signs.length > 0 && { decide: planned.signs }),
  };
  const document = planOnly ? { ...counts, planned: planJson(planned, held) } : counts;
  const view = await viewOf(context, job, planned, { report, held });
  output.print(renderPlan(view, output.style, { verbose, groups: planOnly !== undefined }));
  output.print(endOf(planned, isHeld));
  if (json) output.json(document);
  try {
    if (path !== undefined) await writePlanPeople(context, job, { planned, document, path });
  } finally {
    await context.ledger.discardRun(planned.runId);
  }
  return isHeld ? 3 : 0;
}

function endOf({ signs }: PlannedRun, isHeld: boolean): string {
  if (signs.length > 0)
    return 'Nothing was sent. Decide with --only-active or --everybody; without either the run is held.';
  if (isHeld) return 'Nothing was sent. A guard would hold it: to send it, import or sync it, then approve it.';
  return 'Nothing was sent: this was a dry run.';
}
