// What a report file is made from: the run, its details, and its lines.
import type { z } from 'zod';
import type { ShowDocument } from '../../acts/shapes/run.ts';
import type { ResultRow } from '../../core/run/run.ts';
import type { RunReport } from '../run/run-report.ts';

/** A line of a report file. */
export type ReportRow = ResultRow;

export const reportColumns = [
  ...(['email', 'firstname', 'lastname', 'group', 'outcome', 'status', 'inserts', 'warnings', 'attempts'] as const),
  ...(['hash', 'responseTime', 'httpStatus', 'reason', 'action', 'repeated'] as const),
] as const satisfies readonly (keyof ReportRow)[];

/** What a report says about a run besides the run's own figures: who approved it, what was read, what to check. */
export type RunDetails = z.output<typeof ShowDocument>['details'];

export interface ReportSource {
  report: RunReport;
  details: RunDetails;
  rows(options?: { notable?: boolean }): AsyncIterable<ReportRow>;
}
