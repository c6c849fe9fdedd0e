// Pauses and cancels runs, and tells whether `resume` or `retry` applies to a run.
import type { Context } from '../../src/wiring/context.ts';
import { InputError } from '../../src/core/errors.ts';
import { type RunStatus, unfinished } from '../../src/core/run/run.ts';
import type { GoingOn } from '../../src/ledger/moves/release.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';

/** What stops a run: `pause` makes no further calls, `cancel` ends it for good. */
export type StopCommand = 'pause' | 'cancel';

const stops: Record<StopCommand, { from: readonly RunStatus[]; to: 'paused' | 'cancelled' }> = {
  pause: { from: ['delivering'], to: 'paused' },
  cancel: { from: ['held', ...unfinished], to: 'cancelled' },
};

/**
 * Stops a run, whichever process delivers it.
 * @param by who asked: `a person`, `token nightly-ci`
 * @throws InputError if there is nothing to stop
 */
export async function stopRun({ ledger }: Context, run: Run, command: StopCommand, by: string): Promise<void> {
  const { from, to } = stops[command];
  if (await ledger.moveRun(run.id, from, to, { by: 'person', reason: `${to} by ${by}` })) return;
  throw new InputError(`Run ${run.id} is ${run.status}: there is nothing to ${command}.`);
}

/**
 * How a run goes on: `resume` after it was interrupted, paused or halted, `retry` with the failures of a finished one.
 * @throws InputError if there is nothing to resume or retry
 */
export function howToGoOn(run: Run, command: 'resume' | 'retry'): GoingOn {
  const isUnfinished = unfinished.some((status) => status === run.status);
  const hasFailures = run.status === 'finished-with-failures';
  if (command === 'resume' ? isUnfinished : hasFailures) {
    return command === 'resume'
      ? { from: unfinished, retry: false }
      : { from: ['finished-with-failures'], retry: true };
  }
  const retry = hasFailures ? ` \`roster-sync retry ${run.id}\` tries its failures again.` : '';
  const resume = isUnfinished ? ` \`roster-sync resume ${run.id}\` continues it.` : '';
  throw new InputError(`Run ${run.id} is ${run.status}: there is nothing to ${command}.${retry}${resume}`);
}
