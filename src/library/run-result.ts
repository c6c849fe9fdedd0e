// The result of a run that a program gets.
import { exitCode } from '../acts/exit-code.ts';
import type { ReportRow } from '../report/files/report-row.ts';
import type { RunReport } from '../report/run/run-report.ts';

/** What the service answered for one person and one of their groups. */
export type Receipt = ReportRow;

const told = [
  ...(['run', 'source', 'service', 'status', 'statusReason', 'roster', 'plan', 'outcome', 'groups'] as const),
  ...(['calls', 'inserts', 'warnings', 'pending', 'durationMs'] as const),
] as const satisfies (keyof RunReport)[];

/** How a run went, or how far it is. */
export interface RunResult extends Pick<RunReport, (typeof told)[number]> {
  /** Of a run that has stopped, as the command line exits: 0 is everything delivered, 3 held, 4 failures, 6 stopped by the service. */
  exitCode: number;
}

export function resultOf(report: RunReport): RunResult {
  const shown = told.filter((name) => name in report).map((name) => [name, report[name]] as const);
  return { ...(Object.fromEntries(shown) as unknown as RunResult), exitCode: exitCode(report) };
}
