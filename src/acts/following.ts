// The acts of whoever continues a run and waits for it.
import { z } from 'zod';
import { lookAtRun } from '../../jobs/deliver/deliver.ts';
import { throttledUntil } from '../report/run/build-report.ts';
import { act } from './act.ts';
import { Nothing } from './shapes/parts.ts';
import { RunParams } from './shapes/requests.ts';
import { Followed as FollowedRun } from './shapes/run.ts';

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
