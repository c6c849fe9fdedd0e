// Chooses the exit code of a command that plans or delivers a run.
import { countUndelivered } from '../core/call/outcome.ts';
import type { RunReport } from '../report/run/run-report.ts';

/** Of a run that a guard holds, and of a plan that one would hold. */
const ofHold = 3;

/** A rehearsed plan is no failure, whatever is in it. */
export const exitCodeOfPlan = (isHeld: boolean): number => (isHeld ? ofHold : 0);

/** docs/commands.md, "Exit codes". What the service refused (6) outranks deliveries that failed (4). */
export function exitCode({ status, pausedBy, outcome }: Pick<RunReport, 'status' | 'pausedBy' | 'outcome'>): number {
  switch (status) {
    case 'halted':
      return 6;
    case 'paused':
      if (pausedBy === 'service') return 6;
      return pausedBy === 'storage' ? 1 : 130;
    case 'held':
      return ofHold;
    case 'failed':
      return 2;
    case 'finished-with-failures':
      return 4;
    case 'finished':
    case 'cancelled':
      return countUndelivered(outcome) > 0 ? 4 : 0;
    case 'planning':
    case 'delivering':
      return 0;
  }
}
