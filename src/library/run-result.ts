// The result of a run that a program gets.
import { defined } from '../core/defined.ts';
import { exitCode } from '../report/run/exit-code.ts';
import type { RunReport } from '../report/run/run-report.ts';
import type { ReportRow } from '../report/files/report-row.ts';

/** What the service answered for one person and one of their groups. */
export type Receipt = ReportRow;

/** How a run went, or how far it is. */
export interface RunResult extends Pick<
  RunReport,
  | 'run'
  | 'source'
  | 'service'
  | 'status'
  | 'statusReason'
  | 'roster'
  | 'plan'
  | 'outcome'
  | 'groups'
  | 'calls'
  | 'inserts'
  | 'warnings'
  | 'pending'
  | 'durationMs'
> {
  /** Of a run that has stopped, as the command line exits: 0 is everything delivered, 3 held, 4 failures, 6 stopped by the service. */
  exitCode: number;
}

export function resultOf(report: RunReport): RunResult {
  const { run, source, service, status, statusReason, roster, plan, outcome, groups } = report;
  const { calls, inserts, warnings, pending, durationMs } = report;
  return {
    run,
    source,
    service,
    status,
    roster,
    plan,
    outcome,
    groups,
    calls,
    inserts,
    warnings,
    pending,
    durationMs,
    exitCode: exitCode(report),
    ...defined({ statusReason }),
  };
}
