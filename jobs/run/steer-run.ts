// Pauses and cancels runs, and tells whether `resume` or `retry` applies to a run.
import type { Context } from '../../src/wiring/context.ts';
import { NotNowError } from '../../src/core/errors.ts';
import { onRun } from '../../src/core/next-step.ts';
import { mayMove, runMoves } from '../../src/core/run/run-states.ts';
import type { GoingOn } from '../../src/ledger/moves/release.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';

/** What stops a run: `pause` makes no further calls, `cancel` ends it for good. */
export type StopCommand = 'pause' | 'cancel';

/**
 * Stops a run, whichever process delivers it.
 * @param by who asked: `anna@hr-laptop`, `token nightly-ci`
 * @throws NotNowError if there is nothing to stop
 */
export async function stopRun({ ledger }: Context, run: Run, command: StopCommand, by: string): Promise<void> {
  const reason = `${runMoves[command].to} by ${by}`;
  if (await ledger.moveRun(run.id, command, { by: 'person', reason })) return;
  throw new NotNowError(`Run ${run.id} is ${run.status}: there is nothing to ${command}.`);
}

/** Nobody here would deliver a run of another service than the configured one, nor end it at its deadline. */
export function refuseOtherService({ id, service }: Pick<Run, 'id' | 'service'>, configured: string): void {
  if (service === configured) return;
  throw new NotNowError(
    `Run ${id} belongs to ${service}, but the configured service is ${configured}. Nothing was changed. Set service.baseUrl to ${service}.`,
    { code: 'OTHER_SERVICE' },
  );
}

/**
 * How a run goes on: `resume` after it was interrupted, paused or halted, `retry` with the failures of a finished one.
 * @throws NotNowError if there is nothing to resume or retry
 */
export function howToGoOn(run: Run, command: 'resume' | 'retry'): GoingOn {
  if (mayMove(command, run.status)) return { move: command };
  const { id, status } = run;
  const others = (['retry', 'resume'] as const).filter((other) => mayMove(other, status));
  const acts = status === 'held' ? (['get', 'approve', 'cancel'] as const) : others;
  throw new NotNowError(`Run ${id} is ${status}: there is nothing to ${command}.`, { next: onRun(id, ...acts) });
}
