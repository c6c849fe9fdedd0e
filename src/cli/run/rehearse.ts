// Rehearses a run for `plan` and `--dry-run`: plans it, shows it, then removes it.
import { exitCodeOfPlan } from '../../acts/exit-code.ts';
import { PlanDocument, RunDocument } from '../../acts/shapes/run.ts';
import type { PlannedRun, Proposal } from '../../../jobs/index.ts';
import type { Context } from '../../wiring/context.ts';
import { withVersion } from '../../acts/shapes/version.ts';
import { conductJob, showPlan } from './conduct-job.ts';
import { planFileOf, writePlanPeople } from './plan-people.ts';
import type { Job } from './roster-job.ts';

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
