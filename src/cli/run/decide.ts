// Asks what to do about people in a roster who have left, are disabled, or have not started.
import type { Attendant, PlannedRun } from '../../../jobs/index.ts';
import type { Context } from '../../wiring/context.ts';
import { askWhich, isTerminal } from '../frame/ask.ts';
import { showPlan } from './conduct-job.ts';
import type { Job } from './roster-job.ts';

/** `--yes` is no answer to it. Undefined without a terminal. */
export async function decide(
  context: Context,
  job: Job,
  planned: PlannedRun,
): ReturnType<NonNullable<Attendant['decide']>> {
  if (!isTerminal()) return undefined;
  await showPlan(context, job, planned, { stopped: 0 });
  const question = 'Leave them out (o for only active), send everybody (e), or stop (Enter)?';
  const reply = await askWhich(question, ['only active', 'everybody'], {
    input: process.stdin,
    output: process.stderr,
  });
  return reply === 'only active' || reply === 'everybody' ? reply : { refused: reply ?? 'no' };
}
