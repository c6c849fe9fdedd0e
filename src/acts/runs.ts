// The acts that steer runs: pause, cancel, resume, retry and approve them.
import { approveRun as approve, howToGoOn, type StopCommand, stopRun } from '../../jobs/run/steer-run.ts';
import { defined } from '../core/defined.ts';
import { NotNowError } from '../core/errors.ts';
import { findRun, readReport } from '../report/run/read-report.ts';
import { act } from './act.ts';
import { serviceOf } from './perform.ts';
import { chooseRate } from './choose-rate.ts';
import { causeOf } from './people-filter.ts';
import { RetryInput } from './shapes/people-of-run.ts';
import { Approval, ApproveInput, ResumeInput, Run, RunParams } from './shapes/requests.ts';

function stopping(command: StopCommand, summary: string) {
  return act({
    id: `runs.${command}`,
    scope: 'run',
    input: RunParams,
    output: Run,
    async run({ context, by }, { run }) {
      await stopRun(context, run, command, by);
      return readReport(context, await findRun(context, run.id));
    },
    audit: command,
    http: { route: `POST /runs/:run/${command}`, operation: `${command}Run`, summary },
  });
}

/** Makes no further calls, whichever process delivers it; only resuming continues it. */
export const pauseRun = stopping('pause', 'Pause a run');

/** Ends it for good: it sends nothing. */
export const cancelRun = stopping('cancel', 'Cancel a run');

function goingOn(
  command: 'resume' | 'retry',
  input: typeof ResumeInput | typeof RetryInput,
  words: { summary: string; description?: string },
) {
  return act({
    id: `runs.${command}`,
    scope: 'run',
    isOurs: true,
    input: input as typeof RetryInput,
    output: Run,
    async run({ context, poke }, { run, rate, cause, ...rest }) {
      const how = howToGoOn(run, command);
      const some = { ...rest, ...(cause !== undefined && { cause: causeOf(cause) }) };
      const only = Object.keys(some).length > 0 ? some : undefined;
      const slower = rate === undefined ? undefined : chooseRate(context.config, rate, run.settings.rate).rate;
      const overtaken = await context.ledger.continueRun(run.id, { ...how, ...defined({ only, rate: slower }) });
      // What delivers already only has to be looked at.
      if (overtaken === undefined && run.status !== 'delivering') {
        throw new NotNowError('The run has just changed; look at it again.', { code: 'CHANGED' });
      }
      poke(run.id);
      return { ...(await readReport(context, await findRun(context, run.id))), overtaken: overtaken ?? 0 };
    },
    audit: command,
    http: { route: `POST /runs/:run/${command}`, operation: `${command}Run`, ...words },
  });
}

export const resumeRun = goingOn('resume', ResumeInput, { summary: 'Resume a run' });

export const retryRun = goingOn('retry', RetryInput, {
  summary: 'Retry the failures of a run',
  description: 'All of them, or those that the body means. The same calls are made again.',
});

export const approveRun = act({
  id: 'runs.approve',
  scope: 'approve',
  isOurs: true,
  input: ApproveInput,
  output: Approval,
  async run({ context, by, poke }, { run, ...what }) {
    const asked = { ...what, runId: run.id, service: serviceOf(context), by };
    const { already, ...approved } = await approve(context, asked);
    poke(run.id);
    return { run: run.id, ...approved, ...(already && { already: { ...already, at: already.at.toISOString() } }) };
  },
  audit: { of: ({ already }) => (already === undefined ? 'approve' : undefined) },
  http: { route: 'POST /runs/:run/approve', operation: 'approveRun', summary: 'Approve what a run holds' },
});
