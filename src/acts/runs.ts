// The acts that steer runs: pause, cancel, resume, retry, approve and follow them; and the rate at which they call.
import { leavingKinds } from '../../jobs/run/release-plan.ts';
import { approveRun as approve, howToGoOn, type StopCommand, stopRun } from '../../jobs/run/steer-run.ts';
import { defined } from '../core/defined.ts';
import { NotNowError, InputError } from '../core/errors.ts';
import { findRun, readReport } from '../report/run/read-report.ts';
import { act } from './act.ts';
import { serviceOf } from './perform.ts';
import { causeOf } from './people-filter.ts';
import { RetryInput } from './shapes/people-of-run.ts';
import { Approval, ApproveInput, ResumeInput, Run, RunParams } from './shapes/requests.ts';
import type { Config } from '../../config/load.ts';
import { parseRate } from '../core/settings/values.ts';
import { isSlower, lowerRate, type Rate, writeRate } from '../core/pace/pacing.ts';
import { z } from 'zod';
import { lookAtRun } from '../../jobs/deliver/deliver.ts';
import { throttledUntil } from '../report/run/build-report.ts';
import { Nothing } from './shapes/parts.ts';
import { Followed as FollowedRun } from './shapes/run.ts';

function stopping(command: StopCommand) {
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
    http: { route: `POST /runs/:run/${command}`, operation: `${command}Run` },
  });
}

/** Makes no further calls, whichever process delivers it; only resuming continues it. */
export const pauseRun = stopping('pause');

/** Ends it for good: it sends nothing. */
export const cancelRun = stopping('cancel');

function goingOn(command: 'resume' | 'retry', input: typeof ResumeInput | typeof RetryInput) {
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
      const more = {
        leaving: await leavingKinds(context, run),
        ...ownRate(context.config, rate),
        ...defined({ only }),
      };
      const overtaken = await context.ledger.continueRun(run.id, { ...how, ...more });
      // What delivers already only has to be looked at.
      if (overtaken === undefined && run.status !== 'delivering') {
        throw new NotNowError('The run has just changed; look at it again.', { code: 'CHANGED' });
      }
      poke(run.id);
      return { ...(await readReport(context, await findRun(context, run.id))), overtaken: overtaken ?? 0 };
    },
    audit: command,
    http: { route: `POST /runs/:run/${command}`, operation: `${command}Run` },
  });
}

export const resumeRun = goingOn('resume', ResumeInput);

export const retryRun = goingOn('retry', RetryInput);

export const approveRun = act({
  id: 'runs.approve',
  scope: 'approve',
  isOurs: true,
  input: ApproveInput,
  output: Approval,
  async run({ context, by, poke }, { run, rate, ...what }) {
    const asked = { ...what, ...ownRate(context.config, rate), runId: run.id, service: serviceOf(context), by };
    const { already, ...approved } = await approve(context, asked);
    poke(run.id);
    return { run: run.id, ...approved, ...(already && { already: { ...already, at: already.at.toISOString() } }) };
  },
  audit: { of: ({ already }) => (already === undefined ? 'approve' : undefined) },
  http: { route: 'POST /runs/:run/approve', operation: 'approveRun' },
});

/** A rate in the settings is the service's limit, which nothing else can raise; the default is only a guess. */
export function chooseRate(config: Config, flag: string | undefined, stored?: Rate): { rate: Rate; note?: string } {
  const set = config.delivery.rate;
  const isSet = config.settings.some(({ name, from }) => name.startsWith('delivery.rate.') && from !== 'default');
  if (flag === undefined) return { rate: isSet ? lowerRate(set, stored) : (stored ?? set) };
  const wanted = parseRate(flag);
  if (wanted === undefined)
    throw new InputError(`The rate ${flag} is not known: write a rate like 200 (a second) or 300/1m.`, {
      next: [{ setting: 'delivery.rate' }],
    });
  if (isSet && isSlower(set, wanted)) {
    return {
      rate: set,
      note: `the rate ${flag} is above the configured ${writeRate(set)}, which stays in force.`,
    };
  }
  return { rate: { ...set, ...wanted } };
}

/** The rate that a run is given with what was asked of it. */
function ownRate(config: Config, flag: string | undefined): { rate?: Rate } {
  return flag === undefined ? {} : { rate: chooseRate(config, flag).rate };
}

const http = { none: 'a program asks for the run, or listens to its changes' };

export type Followed = z.output<typeof FollowedRun>;

export const followRun = act({
  id: 'runs.follow',
  scope: 'run',
  isOurs: true,
  input: RunParams.extend({ isInterrupted: z.boolean().exactOptional() }),
  output: FollowedRun,
  async run({ context }, { run, isInterrupted = false }): Promise<Followed> {
    const look = await lookAtRun(context, run.id, isInterrupted);
    const { id, source, plan, settings } = run;
    const throttle = await context.ledger.throttleOf(run.service);
    return {
      ...{ run: id, source, hash: plan?.hash ?? '', rate: settings.rate, ...look },
      ...(throttle && { throttled: { ...throttledUntil(throttle), forMs: throttle.forMs } }),
    };
  },
  audit: { none: 'it is asked some times a second' },
  http,
});

export const callNow = act({
  id: 'runs.callNow',
  scope: 'run',
  input: RunParams,
  output: Nothing,
  async run({ context: { ledger } }, { run }) {
    await ledger.endThrottle(run.service);
    return {};
  },
  audit: 'call now',
  http,
});
